// What a careful program gets out of libcurl's multi interface: the floor that session-bench compares Session with.
//
// usage: floor-bench URL 1.1|2 CONCURRENCY none|ca:FILE|stock:FILE [CONNECTIONS]
//
// It obeys lines on standard input, and answers each with "COUNT SECONDS CPUSECONDS FAILED":
//   run MILLISECONDS MOST   requests, CONCURRENCY at a time, until the time is over or MOST have begun
//   counted MOST            the same without an end by time, and callgrind counts its instructions
//   hold COUNT              COUNT requests at once, each to its end; says "begun" when all have begun
//   download FILE           the URL's content into FILE; counts bytes
//   upload FILE             FILE to the URL by PUT; counts bytes
#define _GNU_SOURCE
#include <callgrind_marks.h>
#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

struct transfer {
    CURL *easy;
    char *body;
    size_t length, capacity;
    FILE *file;
};

static CURLM *multi;
static CURLSH *share;
static int epoll_descriptor;
static long long timer_at = -1;  // milliseconds of the monotonic clock; -1 for never
static const char *url, *trust;
static bool is_http2;
static struct curl_blob anchors;
static struct transfer **idle;
static size_t idle_count, idle_capacity;

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static long long milliseconds(void) { return (long long)(seconds(CLOCK_MONOTONIC) * 1e3); }

static void require(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "floor-bench: %s\n", what);
        exit(1);
    }
}

static size_t body_arrived(char *bytes, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    size_t more = size * count;
    if (transfer->file) return fwrite(bytes, 1, more, transfer->file);
    if (transfer->length + more > transfer->capacity) {
        transfer->capacity = 2 * (transfer->length + more);
        transfer->body = realloc(transfer->body, transfer->capacity);
        require(transfer->body != NULL, "out of memory");
    }
    memcpy(transfer->body + transfer->length, bytes, more);
    transfer->length += more;
    return more;
}

static size_t body_wanted(char *buffer, size_t size, size_t count, void *context) {
    return fread(buffer, size, count, ((struct transfer *)context)->file);
}

static int socket_changed(CURL *easy, curl_socket_t socket, int what, void *context, void *known) {
    (void)easy, (void)context;
    struct epoll_event event = {.data.fd = socket};
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(epoll_descriptor, EPOLL_CTL_DEL, socket, &event);
        return 0;
    }
    if (what != CURL_POLL_OUT) event.events |= EPOLLIN;
    if (what != CURL_POLL_IN) event.events |= EPOLLOUT;
    epoll_ctl(epoll_descriptor, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
    curl_multi_assign(multi, socket, &epoll_descriptor);
    return 0;
}

static int timer_changed(CURLM *unused, long wait, void *context) {
    (void)unused, (void)context;
    timer_at = wait < 0 ? -1 : milliseconds() + wait;
    return 0;
}

// A handle is made once, and keeps what never changes.
static struct transfer *take_transfer(void) {
    if (idle_count > 0) return idle[--idle_count];
    struct transfer *transfer = calloc(1, sizeof *transfer);
    require(transfer && (transfer->easy = curl_easy_init()), "out of memory");
    CURL *easy = transfer->easy;
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_SHARE, share);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "floor/1.0");
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)(is_http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, (long)is_http2);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body_arrived);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, body_wanted);
    curl_easy_setopt(easy, CURLOPT_READDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (anchors.data) {
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
        curl_easy_setopt(easy, CURLOPT_CAINFO, NULL);
        curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &anchors);
    } else if (strncmp(trust, "stock:", 6) == 0) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, trust + 6);  // and the distribution's folder beside it, as always
    }
    return transfer;
}

static void begin(struct transfer *transfer) {
    transfer->length = 0;
    curl_easy_setopt(transfer->easy, CURLOPT_URL, url);
    require(curl_multi_add_handle(multi, transfer->easy) == CURLM_OK, "a transfer cannot be added");
}

static void keep(struct transfer *transfer) {
    free(transfer->body);
    transfer->body = NULL;
    transfer->capacity = 0;
    if (idle_count == idle_capacity) {
        idle_capacity = idle_capacity ? 2 * idle_capacity : 64;
        require((idle = realloc(idle, idle_capacity * sizeof *idle)) != NULL, "out of memory");
    }
    idle[idle_count++] = transfer;
}

// One turn of the loop; gives the number of transfers that run.
static int turn(void) {
    static struct epoll_event events[256];
    long long wait = timer_at < 0 ? -1 : timer_at - milliseconds();
    int count = epoll_wait(epoll_descriptor, events, 256, timer_at < 0 ? -1 : wait < 0 ? 0 : (int)wait);
    int running = 0;
    for (int index = 0; index < count; index++) {
        int happened = (events[index].events & EPOLLIN ? CURL_CSELECT_IN : 0)
            | (events[index].events & EPOLLOUT ? CURL_CSELECT_OUT : 0)
            | (events[index].events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
        curl_multi_socket_action(multi, events[index].data.fd, happened, &running);
    }
    if (timer_at >= 0 && timer_at <= milliseconds()) {
        timer_at = -1;
        curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    return running;
}

struct result {
    long long count, failed;
};

static double cpu_seconds(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }

static struct result requests(long time, long long most, long concurrency, bool tells) {
    struct result result = {0};
    long long begun = 0, running = 0, end = milliseconds() + time;
    for (; running < concurrency && begun < most; running++, begun++) begin(take_transfer());
    if (tells) {
        puts("begun");
        fflush(stdout);
    }
    while (running > 0) {
        turn();
        CURLMsg *message;
        for (int left = 0; (message = curl_multi_info_read(multi, &left));) {
            struct transfer *transfer;
            long status = 0;
            CURLcode code = message->data.result;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
            curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
            if (code != CURLE_OK || status / 100 != 2) {
                if (result.failed++ == 0) fprintf(stderr, "floor-bench: %s, %ld\n", curl_easy_strerror(code), status);
            }
            result.count++;
            curl_multi_remove_handle(multi, transfer->easy);
            keep(transfer);
            if (begun < most && milliseconds() < end) {
                begun++;
                begin(take_transfer());
            } else {
                running--;
            }
        }
    }
    return result;
}

static struct result transfer_file(const char *path, bool sends) {
    struct transfer *transfer = take_transfer();
    require((transfer->file = fopen(path, sends ? "rb" : "wb")) != NULL, "the file cannot be opened");
    if (sends) {
        struct stat facts;
        require(fstat(fileno(transfer->file), &facts) == 0, "the file's size is unknown");
        curl_easy_setopt(transfer->easy, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(transfer->easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)facts.st_size);
    }
    keep(transfer);
    struct result result = requests(0, 1, 1, false);
    result.count = ftello(transfer->file);
    fclose(transfer->file);
    transfer->file = NULL;
    return result;
}

static void load_anchors(const char *path) {
    static char bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    require(file != NULL, "the anchors cannot be read");
    anchors = (struct curl_blob){bytes, fread(bytes, 1, sizeof bytes, file), CURL_BLOB_COPY};
    fclose(file);
}

int main(int count, char **arguments) {
    require(count >= 5, "usage: floor-bench URL 1.1|2 CONCURRENCY none|ca:FILE|stock:FILE [CONNECTIONS]");
    url = arguments[1];
    is_http2 = strcmp(arguments[2], "2") == 0;
    long concurrency = atol(arguments[3]);
    trust = arguments[4];
    if (strncmp(trust, "ca:", 3) == 0) load_anchors(trust + 3);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    epoll_descriptor = epoll_create1(EPOLL_CLOEXEC);
    multi = curl_multi_init();
    share = curl_share_init();
    curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket_changed);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer_changed);
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 256L);
    if (count > 5) curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, atol(arguments[5]));
    char line[4096], file[4096];
    while (fgets(line, sizeof line, stdin)) {
        double started = seconds(CLOCK_MONOTONIC), used = cpu_seconds();
        struct result result = {0};
        long time;
        long long most;
        if (sscanf(line, "run %ld %lld", &time, &most) == 2) result = requests(time, most, concurrency, false);
        else if (sscanf(line, "counted %lld", &most) == 1) {
            counting_begins();
            result = requests(1000000, most, concurrency, false);
            counting_ends();
        } else if (sscanf(line, "hold %lld", &most) == 1) result = requests(0, most, (long)most, true);
        else if (sscanf(line, "download %4095s", file) == 1) result = transfer_file(file, false);
        else if (sscanf(line, "upload %4095s", file) == 1) result = transfer_file(file, true);
        else require(false, "unknown command");
        printf("%lld %f %f %lld\n", result.count, seconds(CLOCK_MONOTONIC) - started, cpu_seconds() - used, result.failed);
        fflush(stdout);
    }
    return 0;
}

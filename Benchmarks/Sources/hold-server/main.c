// A server that answers no request until it is told to: HTTP/1.1 without TLS, on 127.0.0.1 and a port of the kernel's.
//
// It says "port PORT" first. Lines on standard input: "release" has it answer all requests, and from then on each at
// once; "hold" ends that. After each line, as after "count", it says how many it holds.
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\nok";

// For each descriptor: how much of the empty line that ends a request has come, and whether an answer is owed.
static struct {
    char matched;
    bool is_owed;
} *connections;

static void reply(int descriptor) {
    connections[descriptor].is_owed = false;
    if (write(descriptor, answer, sizeof answer - 1) < 0) close(descriptor);
}

int main(void) {
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    connections = calloc(files.rlim_cur, sizeof *connections);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), poller = epoll_create1(0);
    if (!connections || bind(listener, (void *)&address, size) || listen(listener, 4096)) return 1;
    getsockname(listener, (void *)&address, &size);
    printf("port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    event.data.fd = 0;
    epoll_ctl(poller, EPOLL_CTL_ADD, 0, &event);
    int held = 0;
    bool is_released = false;
    for (;;) {
        int count = epoll_wait(poller, events, 256, -1);
        for (int index = 0; index < count; index++) {
            int descriptor = events[index].data.fd;
            char bytes[4096];
            if (descriptor == listener) {
                while ((descriptor = accept(listener, NULL, NULL)) >= 0) {
                    connections[descriptor].matched = 0;
                    connections[descriptor].is_owed = false;
                    event.data.fd = descriptor;
                    epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
                }
                continue;
            }
            ssize_t length = read(descriptor, bytes, sizeof bytes - 1);
            if (descriptor == 0) {
                if (length <= 0) return 0;
                bytes[length] = 0;
                if (strstr(bytes, "release")) {
                    is_released = true;
                    for (rlim_t each = 0; each < files.rlim_cur; each++)
                        if (connections[each].is_owed) reply((int)each);
                    held = 0;
                }
                if (strstr(bytes, "hold")) is_released = false;
                printf("%d\n", held);
                fflush(stdout);
                continue;
            }
            if (length <= 0) {
                held -= connections[descriptor].is_owed;
                connections[descriptor].is_owed = false;
                close(descriptor);
                continue;
            }
            for (ssize_t each = 0; each < length; each++) {
                char *matched = &connections[descriptor].matched;
                *matched = bytes[each] == "\r\n\r\n"[(int)*matched] ? *matched + 1 : bytes[each] == '\r';
                if (*matched < 4) continue;
                *matched = 0;
                connections[descriptor].is_owed = true;
                if (is_released) reply(descriptor);
                else held++;
            }
        }
    }
}

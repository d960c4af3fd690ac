import Foundation
import LinchpinProvider
import Testing

@Suite struct URLTargetTests {
    @Test(arguments: [
        // An empty path is no path.
        ("http://h/v1", "", "http://h/v1"),
        ("http://h/v1?k=1", "", "http://h/v1?k=1"),
        ("http://h", "", "http://h"),
        ("http://h/v1/#f", "", "http://h/v1/#f"),
        // One slash at the joint, those inside and at the end as they are.
        ("http://h/v1", "a/", "http://h/v1/a/"),
        ("http://h/v1/", "/a", "http://h/v1/a"),
        ("http://h/v1/", "a", "http://h/v1/a"),
        ("http://h/v1", "/a", "http://h/v1/a"),
        ("http://h", "a", "http://h/a"),
        ("http://h/v1", "/", "http://h/v1/"),
        ("http://h/v1", "a//b", "http://h/v1/a//b"),
        // What follows the base's path stays behind the whole path.
        ("http://h/v1?k=1", "a", "http://h/v1/a?k=1"),
        ("http://h?k=%2F", "a", "http://h/a?k=%2F"),
        ("http://h/v1?k=1#f", "a", "http://h/v1/a?k=1#f"),
        // The path is plain text.
        ("http://h", "a?b=1", "http://h/a%3Fb=1"),
        ("http://h", "a#b", "http://h/a%23b"),
        ("http://h", "a%2Fb", "http://h/a%252Fb"),
        ("http://h", "100%", "http://h/100%25"),
        ("http://h", "é/😀", "http://h/%C3%A9/%F0%9F%98%80"),
        ("http://h", "a b", "http://h/a%20b"),
        ("http://h", "a\r\nHost: x", "http://h/a%0D%0AHost:%20x"),
        // The base's own escapes stay.
        ("http://h/a%2Fb", "c", "http://h/a%2Fb/c"),
        ("http://[::1]:8080", "a:b", "http://[::1]:8080/a:b"),
    ])
    func `a path is appended to the base as plain text`(_ base: String, _ path: String, _ expected: String) {
        #expect(URL(target: Call(base) { $0.path = path }).absoluteString == expected)
    }

    @Test func `a multi target has the URL of its target`() {
        let target = MultiTarget(MultiTarget(Call("http://h/v1") { $0.path = "a" }))
        #expect(URL(target: target).absoluteString == "http://h/v1/a")
    }
}

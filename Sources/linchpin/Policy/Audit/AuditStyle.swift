/// How the page of an audit looks, in light and in the dark.
enum AuditStyle {
    static let text = """
        :root {
            --ground: #f6f7f9; --card: #ffffff; --ink: #1b1f26; --soft: #5a6372; --line: #d8dde5;
            --good: #1f8a4c; --soon: #b26a00; --past: #c22f2f; --track: #e6e9ee; --mark: #2457c5; --on: #ffffff;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --ground: #14171c; --card: #1d2128; --ink: #e7eaf0; --soft: #9aa4b5; --line: #343b47;
                --good: #46c07a; --soon: #f0a63a; --past: #ff7a72; --track: #2d333d; --mark: #8fb4ff; --on: #14171c;
            }
        }
        * { box-sizing: border-box; }
        body {
            margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 60rem; background: var(--ground); color: var(--ink);
            font: 1rem/1.5 system-ui, sans-serif;
        }
        h1 { margin: 0; font-size: 1.6rem; }
        h2 { margin: 0; font-size: 1.15rem; overflow-wrap: anywhere; }
        h3 { margin: 1.25rem 0 .5rem; font-size: .8rem; color: var(--soft); font-weight: 600; }
        p { margin: .25rem 0; }
        code { font: .82rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
        header { margin-bottom: 1.5rem; }
        .file, .checks, .pin, .backup { color: var(--soft); overflow-wrap: anywhere; }
        .checks, .backup { font-size: .9rem; }
        section {
            margin: 1rem 0; padding: 1rem 1.25rem 1.25rem; background: var(--card); border: 1px solid var(--line);
            border-left: .3rem solid var(--good); border-radius: .5rem;
        }
        section.expiring { border-left-color: var(--soon); }
        section.refused { border-left-color: var(--past); }
        section.unasked { border-left-color: var(--soft); }
        .badge {
            display: inline-block; margin-right: .35rem; padding: .05rem .6rem; border-radius: 1rem; font-size: .8rem;
            vertical-align: .1em; background: var(--good); color: var(--on);
        }
        .expiring .badge { background: var(--soon); }
        .refused .badge { background: var(--past); }
        .unasked .badge { background: var(--soft); }
        .reason { overflow-wrap: anywhere; }
        .refused .reason strong { color: var(--past); }
        dl {
            display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .75rem 1.5rem;
            margin: .75rem 0 0;
        }
        dt { font-size: .8rem; color: var(--soft); }
        dd { margin: 0; overflow-wrap: anywhere; }
        .chain { list-style: none; margin: 0; padding: 0; }
        .chain li {
            position: relative; padding: .6rem .9rem .7rem; border: 1px solid var(--line); border-radius: .4rem;
        }
        .chain li + li { margin-top: 1.1rem; }
        .validated li + li:not(.pins)::before {
            content: ""; position: absolute; left: 1.4rem; top: calc(-1.1rem - 1px); height: 1.1rem;
            border-left: 2px solid var(--soft);
        }
        .chain li.pinned { border-color: var(--mark); box-shadow: inset .2rem 0 0 var(--mark); }
        .chain li.pins { border-style: dashed; }
        .subject { overflow-wrap: anywhere; }
        .role { display: block; color: var(--soft); font-size: .8rem; line-height: 1.2; }
        .mark { color: var(--mark); font-size: .85rem; font-weight: 600; white-space: nowrap; }
        .bar { display: flex; flex-wrap: wrap; align-items: center; gap: .15rem .75rem; margin-top: .3rem; }
        .bar span { font-size: .85rem; color: var(--soft); }
        .bar.soon span { color: var(--soon); }
        .bar.past span { color: var(--past); }
        .track { flex: 1 1 10rem; max-width: 22rem; height: .55rem; border-radius: .3rem; background: var(--track); }
        .fill { height: 100%; min-width: .3rem; border-radius: .3rem; background: var(--good); }
        .soon .fill { background: var(--soon); }
        .past .fill { background: var(--past); }
        .backup { margin-top: .9rem; }
        """
}

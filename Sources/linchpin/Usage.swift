/// What `linchpin` does, for who asks and for who asks wrongly.
enum Usage {
    static let text = """
        usage: linchpin COMMAND [OPTION]...

          demo      sends requests to pinned local servers and shows which of them are refused
          certs     makes certificates for servers on this machine, good ones and bad ones
          explain   says which entry of a host table or policy file applies to a host, and why
          evaluate  says off-line whether a server's chain is trusted, by roots or a policy file, one chain or many
          policy    checks, imports, signs, verifies and audits policy files

        `linchpin COMMAND --help` says more. Exit code 2: wrong usage.
        """
}

/// What `linchpin` does, for who asks and for who asks wrongly.
enum Usage {
    static let text = """
        usage: linchpin COMMAND [OPTION]...

          evaluate  says off-line whether a server's chain is trusted for a host, one chain or many
          demo      sends requests to pinned local servers and shows which of them are refused
          certs     makes certificates for servers on this machine, good ones and bad ones

        `linchpin COMMAND --help` says more. Exit code 2: wrong usage.
        """
}

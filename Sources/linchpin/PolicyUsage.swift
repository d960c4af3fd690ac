/// What a policy file holds, for those who write one.
enum PolicyUsage {
    static let text = """
        A policy file is JSON:

          {
            "version": 1,
            "allHostsMustBeEvaluated": true,
            "hosts": {
              "api.example.com": {
                "pins": ["sha256/...", "sha256/..."],
                "requiresBackupPin": true,
                "expiration": {"date": "2030-01-31", "afterwards": "refuse" or "fallBackToDefaultValidation"},
                "performDefaultValidation": true,
                "validateHost": true,
                "roots": "system" or "given" or ["certs/root.pem"],
                "profile": "webPKI" or "privatePKI"
              },
              "*.example.com": {}
            }
          }

        "version" is needed, the rest may be left out. Defaults: hosts without an entry are refused; two pins; pins that
        do not expire; a valid chain and the host's name; the system's roots; webPKI. An entry without pins is the usual
        validation, and takes no field about pins. Paths are relative to the policy file. A field that is not known, a
        value of another type or a name that stands twice is an error, which tells its place.
        """
}

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
                "onMismatch": "refuse",
                "performDefaultValidation": true,
                "validateHost": true,
                "roots": "system" or "given" or ["certs/root.pem"],
                "profile": "webPKI" or "privatePKI",
                "revocation": {"methods": ["ocsp", "crl"], "preferCRL": false, "requirePositiveResponse": false,
                               "networkAccess": true, "lists": ["certs/root.crl"]},
                "transparency": {"logs": "logs.cnf", "minimumLogs": 2}
              },
              "old.example.com": {"certificates": ["certs/old.pem"], "acceptSelfSignedCertificates": false},
              "new.example.com": {"publicKeys": ["certs/new.pub"]},
              "*.example.com": {}
            }
          }

        "version" is needed, the rest may be left out. Defaults: hosts without an entry are refused; two pins; pins that
        do not expire; a valid chain and the host's name; the system's roots; webPKI. An entry without pins is the usual
        validation, and takes no field about pins. Revocation and transparency are looked at where they are named.
        "clientIdentity", and an "onMismatch" that reports, name what a program hands over with the file; this one
        shows no identity and sends no report. Paths are relative to the policy file. A field that is not known, a value of another type or a
        name that stands twice is an error, which tells its place.
        """
}

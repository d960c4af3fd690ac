/// Self-signed certificates for `api.example.com` and the pins of their keys, as OpenSSL's own tools wrote them:
///
///     openssl genpkey … ; openssl req -x509 -days 36500 …
///     openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
///
/// RSA keys of the larger sizes would take seconds to make.
enum KeyVectors {
    /// The kind of key, the SHA-256 of its SubjectPublicKeyInfo in Base64, and the certificate.
    static let all: [(name: String, pin: String, pem: String)] = [
        (
            "rsa2048", "CBesWT4N49RxdYrzB8v7rIQ9kijkSATj8lvEkqZAAa8=",
            """
            -----BEGIN CERTIFICATE-----
            MIIDIzCCAgugAwIBAgIUQNV1fFwlJsCjZrEu5ISkMmmC0lQwDQYJKoZIhvcNAQEL
            BQAwEjEQMA4GA1UEAwwHcnNhMjA0ODAgFw0yNjExMzAwOTMxNDVaGA8yMTI2MTEw
            NjA5MzE0NVowEjEQMA4GA1UEAwwHcnNhMjA0ODCCASIwDQYJKoZIhvcNAQEBBQAD
            ggEPADCCAQoCggEBAKyDFuaY2YjSCpYEVzedTILTuo+geRPUd7s0WK7EXjvPhHkD
            viwSgtfRbKMqFIG1+HYxjT6CO6Y8+2Q2uwB9Cpl3BI8D1v6PWCxK1dWYpYoiiiIz
            1cZcP69G5i71OE/2rC5qgaEHK+5gNDwPV5OPudOYke8HvoO38oAQNF6CIls6F5Lv
            a2R3PA+UShY5UQJq/RDKVZgPiG9id2Jon0Pg2iHNJndLgvJhE1suBOf6/AGvpHAh
            6cl3RpjfoYLxn9JkwH+qNiq+xRaseQSh3UvrASlKFV9rwdvZLN0/wPnPCzM2ktZK
            U5QihB18DNeuNeJIQNTDAmCXK2XAlI1Jouvb0L8CAwEAAaNvMG0wHQYDVR0OBBYE
            FCorGIsVJaiZ8838ETnv8s+mh3upMB8GA1UdIwQYMBaAFCorGIsVJaiZ8838ETnv
            8s+mh3upMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIPYXBpLmV4YW1wbGUu
            Y29tMA0GCSqGSIb3DQEBCwUAA4IBAQCFZ9vPR++p7o5aPAF7ONRZM0uKuJGhAVs9
            0VCRivDwKHnTHsK8fmCIcyzrQb5L8LRw+F6zAR3AX8BlTPn27spucNTdV16T0o+0
            nOz6+Ck83IF60N0O0ayzIXe+9hjhTvSJduEGhd0ZZYpZF+KGyCcdjShvdnfXKeB2
            mRuWdHFPKR/gE0mV4jpOYXNhi/lQsH1IMry9iFOgt8PmzYRe9h3jet9xMHX5b8r4
            IhK1gO1BfgfDNHF8xr/SoozpiD1tvaSOBhSJnXgEb37qCBu5kwqmGv7R+/kBbkF0
            MU4IKiH3J6T56RXQYmXGctuBYzO4RrTuFTtKJHZoeryPwryk1YY3
            -----END CERTIFICATE-----
            """
        ),
        (
            "rsa3072", "YKVQMn7weu0OJ5VYrRGu2VJjFCC4+siBhCSuWB6Yu/Q=",
            """
            -----BEGIN CERTIFICATE-----
            MIIEIzCCAougAwIBAgIUMWuFK5H1NImhJK1TnOdnBNVmT3IwDQYJKoZIhvcNAQEL
            BQAwEjEQMA4GA1UEAwwHcnNhMzA3MjAgFw0yNjExMzAwOTMxNDZaGA8yMTI2MTEw
            NjA5MzE0NlowEjEQMA4GA1UEAwwHcnNhMzA3MjCCAaIwDQYJKoZIhvcNAQEBBQAD
            ggGPADCCAYoCggGBAMHe2DdpA0g/evPn+E4rTdvW+xaxs6IwTK9ZtMlDFeYQmF4S
            jALVwvZRSIoWzAVCs815PyCL1COViB8zUV4BjwJtl++3CyvOdWCndpu2YnpZ1U4d
            xditg6FKmn/XdqWCnZSW1XvETJ1iXLuJLrwkHmXgdnk2inRmB1qHo1/HrHpps4+G
            pj7Sj1CyO6u+SZYQRBO6J2tc/F4CfyetzQRyiYw2uFo3M2D8cvP5sn9uWubL+Umu
            kIFXS71dv5t6nmh16JLF8cnUXJKo+VJQsCQedGMJQu47KdDT1PDPagdz6WmPCAOQ
            sBLaL5HyDV7n5ul/qQaR+9wRWVq3uNfDHyryg+lpWKZbWnVhaeqf7G1ANTcTJqZJ
            7W5bpN7Ip0XFpBf16b5g01bGgEWcLGegDYLrdhFKqUYHJoiiJqfrNa6Agd7kuoeQ
            fcvRWaNIvTs43qsC1O86l36L+vgZWECEOMB7tg3zOdq5CiCWgPWiL7MQD+1j7frc
            ud9K/SB4Hv2Q/eOCzQIDAQABo28wbTAdBgNVHQ4EFgQU1QszsKPVViTbpT96doz9
            rDi/uzUwHwYDVR0jBBgwFoAU1QszsKPVViTbpT96doz9rDi/uzUwDwYDVR0TAQH/
            BAUwAwEB/zAaBgNVHREEEzARgg9hcGkuZXhhbXBsZS5jb20wDQYJKoZIhvcNAQEL
            BQADggGBAEzW0FKuOPQr6IbDFjaXHwtBOCYXJeBidiCO/cBSRHtsaSvm+FFXhtZq
            erWWq+qFT0GFtZcyHyMLVJEttqjbZryp+4YqnhFecz/A+DSaLJ2BMXTTJ/HGbsDF
            OL0ALTNqxHukL22djMO/AhBTLPhO/ZE5YTyllpNbkaSEHy9C1xBeUjSPLIylAQV9
            YnLIIXF3vFAYIHddutb1N/c26r12xffqraBS1sgv+OursjbiGftNGKUjBACwSDz8
            sKss+Euo/Szayu2qF/RNvGkGFLMtv0OOLcL+4x63a3V/z8UXxAJ1fEWWZBzd3ZZo
            m7x+Ytr86OmJI9byyZh1nxiK1kFRoZTcw7hCkv1QN7DNopFFkq+Y7MUeqPR9RhT2
            3yUFTpfCQsCxv1ZNfdkCy6wC1yjGb0GGv+5mY73h0BGmJvY/S/WUG5nxdB0PX6Yd
            Y8FAgv0xXJWiwud++6dC4+y/39vLiw+//nlfrRoV9/mdpBRhzzUcR+FnV//itfm4
            Eh5PLa5weA==
            -----END CERTIFICATE-----
            """
        ),
        (
            "rsa4096", "vWW1iOD7+aAM47pv/6lZzM6+H5izzcCRhKJfQoXIbDM=",
            """
            -----BEGIN CERTIFICATE-----
            MIIFIzCCAwugAwIBAgIUH/84o62rTpE6QLWo00CaRwduxGUwDQYJKoZIhvcNAQEL
            BQAwEjEQMA4GA1UEAwwHcnNhNDA5NjAgFw0yNjExMzAwOTMxNDdaGA8yMTI2MTEw
            NjA5MzE0N1owEjEQMA4GA1UEAwwHcnNhNDA5NjCCAiIwDQYJKoZIhvcNAQEBBQAD
            ggIPADCCAgoCggIBAIYkavFbDdzYbmzLkVWQsIUEmP9fR1K2TX//yFGWgLJlokPQ
            NVyMSURHeSP2hdrN2xuiJMwFO7RFummIdAvl6IOEz0CT6hH8/XoA1752TzL2TY9m
            fMj4rG9arh9VLLfIzfIXIO7Qosw3E6GuOXFjbsLdOeSbREULP3Je+ET/nEr2XKQy
            fhM+YMTHd0licJuRpn73GpExE9fM519aM5pHtu41HVv6AGwWKxEDX1XAeJVxqf7c
            DjrwoLhgwNQbtJ85Tgu24o6aeg6j4snKOT/PHhIk7jnAu7rinJYFKShmX0wnfk4B
            TKixSpzTjZdaoRKeJ0gWw4Rj/XW7+t0L/zaE5Zan/KtBpo+JDuuBa75g5wOVdOPx
            4ExbGxFQjasbuPgPRC6EspeKog2m/Pid8n0t5ub0EkbL7Qs7qBRC5hqcZY3KDkOK
            D2/n8j0yeix9AXQIqYShO8sajDdwLPpVCcVDxFn5BeLaiX4582R0nKhvghA3PVkS
            oYf4eCwtFyXwf/xs+64fsyQe3tqh0tRY8Ky1EvJvBoHgvot7W65Wa3pSG/mevr7Z
            rGckOYSKRg1xJ47tpjmdZD1JjTQCPL+RxTAJnlU/cdAVSs0rXQWPEWiSgnKV4iQE
            Ny1EW0zwMlgX+T37sZ89wk/Ez6VEKPjJDqb3/dkaXsNJTLG8NJuqcXMg+zVRAgMB
            AAGjbzBtMB0GA1UdDgQWBBSk6AIki25JQ0NThjBIdaNG3/FUszAfBgNVHSMEGDAW
            gBSk6AIki25JQ0NThjBIdaNG3/FUszAPBgNVHRMBAf8EBTADAQH/MBoGA1UdEQQT
            MBGCD2FwaS5leGFtcGxlLmNvbTANBgkqhkiG9w0BAQsFAAOCAgEATlCHmxGdBccF
            /NN1EO6H1c7lL60NLfG7ROGmryMWL6gPMb5pMbWLeVBZ/34it0b5qrwVW7xNdohP
            CeMhFG3S+5YN8uh4gjALGhZg0Y+NYXTc4qfiWEDre4+CUy6ozLSUQpLCFgPLFKDe
            QhaaAUVnxR81hQ9H0dqo5FkIRUSvWBEKsKu2nW5AuU7hA0O6QH4/eSpldhQRoxyd
            Eqvz/D/zASVrIqHgwBKWIc81uNpqSh5HcHvD9ke18de9wbin+IP9GxMdWMdlLG+e
            DDFvqOCf5NzAwhkPyAboJd8iTElYsSU1VRP0z/mWmgaSjorlOLRJyLpiZGstBeIz
            lorNzinhBU43PYm3keF2c/aY4K37ZC9lNKvFuXw+H2Dr29uNM7BbMXUKvQ5XH9V0
            mEG4/zGOn1KBnVkrNo+fCCrmoNbaeIjFN6OJaW9CfLtuZj+XRT/uA3xGRb3fH+A1
            nodcX+m1F2F353jxMCjC3Vzk2Y2USLy+vLKqYCwPvq+zw52zz0S8+2MG+LZCc7Lq
            2Z+HAoPTc/8TpSzs49eObWsujBCEa7Y4rZ6Zm6jbI9YWRt/q1JZEfhAmSt6TBOxu
            GTlpeLaIBb1YMCdPu06sy1guolsJoAtfdvvMHU/qiBqqrPmVy8mi9aaCFYBeCJxI
            Thy7FtF9SYfV9lTM0333HTCiK514wWg=
            -----END CERTIFICATE-----
            """
        ),
        (
            "rsa8192", "RwwmQOnCwXAcvLhfxksKDz0MqFOPd2M2yZU26GnrFoI=",
            """
            -----BEGIN CERTIFICATE-----
            MIIJIzCCBQugAwIBAgIUOSBLJTXMUAOtWNZIkd98NyUMBZYwDQYJKoZIhvcNAQEL
            BQAwEjEQMA4GA1UEAwwHcnNhODE5MjAgFw0yNjExMzAwOTMxNTZaGA8yMTI2MTEw
            NjA5MzE1NlowEjEQMA4GA1UEAwwHcnNhODE5MjCCBCIwDQYJKoZIhvcNAQEBBQAD
            ggQPADCCBAoCggQBAK5bDb2lEmoiEvotqLxNgwEc/2xmG76WQX12gWP+vUygs/n0
            HQDQ1IReO0AwzxOyqyUhhecaaNfI2vKEe01zt30igrgyTH5tgy/0PQSeXFfngHUe
            yylLvuOxf1eMQLuRavVKwbJGfl1DnBsNyH9I7bTc/2c2Uec3MH30zB/O6Stu+lT8
            qMQxYeuG5S6e1wPK6qyhcxhqdGSyF6FFEfyYkN6PA79nhrfV0QM1rAyNrPwISwT1
            JQ2d1NoRXXPDsC9ZAaLNWvnxExJVT063gSv3mdVm9saveYErBbkV2Q4HVJwYEqCh
            oAgKFvUCKp2iOTWKohJCvB5q6FkLDllL0fV/HZRcUyLf/VLQ9nIsDC0dQaU+prUY
            n+w3KZPykwz6ZwiKSQm+4i7EbdRkqs9yHSxs6DrnIIW5d3je3w2kAm6ZEO0zsNK1
            w1pHBeaZLLcp8azJb2Ql6PvuDH4xGBA1+uiHRqh1ummijrXdVasJnVWytCG4TUcj
            OBrpamze0BtXxQnRCej50B2h0gEuodwfg7A9KFXMME/LtqGR9PLrScQvE+r7mAuC
            srLyvRu22H9CXgQr9q+Z2HscXXnWxSGPhXua0TdL5wbmRf1ms2g2xHwenvarSqq8
            3i5ly5RyT9pnwWhOSvAKj/keXW8nV2JYthUPpyRMr7+u0bGyOA+px9GvHdIQKczc
            FEFKvTTTRYj9HO2hAJ5LmuESrK4c6lCKum4i5qJVbZaLYm5SnpMGFiNoyod1GHa5
            E7G0gPH7/fR4u4JGjJEwxGFnbgqeEeCIJGcmIxi9szIgnFy2VsKNgitTAoHqTN4b
            ugJP5e4dCGjflDwWpLigVupKjnIqXQi89sRb/Lf44izpX3NXvOYl6tO8Xps/jxUT
            IaQCASpSmkKROnRXo6YuSWMQLme1Vvq7O4PNDhG7X+32VidOv27bSMpZhlZCY90l
            2OdIEieaPkV0dDPczfxPD7V5XQjUEOcu/fsRnMC5GXGrbUIzY0k8x3p80zKSsEzS
            V2BCixg1KfmtH1Agwj80HPGBllrdOSbtKSuk+nkwlRTVP5KFLUFjKKROzqJSSDwC
            Bpojpwp2S9kPevJ2Ls6AgezqMIo0/I8GTW1VD3fTT1sRwBlYV0nQPcnOnOdHmXm6
            ptHDy7W6+h9mZsHa7UFlywC6MosMdp8cN8ac/KNmoyLWUoX8ZRvYgvUnLt+6671y
            jrMx+4YGMkDfAypj5vcyHNz+PBSo95fzCjRT6/7PVnBqxbS/DKwdmhDkmztTCqr3
            kJZ1XCRlzom6pBraI4SGfh3g2BQDktGe71xzFqVz2opxhqOZfOUvLg+rJGWrQq5Y
            aBMecibGPtCUOfLtlc7jVYJZ1bRnYrPULLNQwZUCAwEAAaNvMG0wHQYDVR0OBBYE
            FKHeaKAhiBq9YA/0/4/XTqG6HmYZMB8GA1UdIwQYMBaAFKHeaKAhiBq9YA/0/4/X
            TqG6HmYZMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIPYXBpLmV4YW1wbGUu
            Y29tMA0GCSqGSIb3DQEBCwUAA4IEAQA4SFDLZQ3dSQPEOv8nOwy8Q0eKALVH2jOB
            hcS1zuaAa7FtlJ2i1pMQqfAXD/NjVojrYDp+s5myEHKVcWFKSJlCqw162yMjCgwp
            HMUnhmHUesNxix5Dk66mZRUT0AdYsY+3T5iRmaBcPwbhK/CgApsYdajnVrnklnee
            aHDHd9+2u+OEclEi4OrVnvxpyf7jSO31E9FlQmfcPPpbSk9BPxTfhbMqD/JtwaT2
            6rXxQWrzPeidvSIx+w9nuLOQ/2Zlzow0rvg3xP9NcYLWElzPmPJ0y+ztU93rqWQL
            IcUXDLocwy/5rAUFcm/uaGCG4fbsttpouwVFERrJXe/oKaUfXKiyULnycHGeE2Jn
            c/SuZ41IgDi+NR9kMcuCfzNlaVTwJyXCKFENYWv0AAZOtT+7JcHNsmCwyKw4p0Zm
            CpBThvyNvkydlDJKJqF/OuGEd9zHAaYqCSTWAvqtO195C/kw53PQgPKHVtuVhNi/
            KDD6maRhcSerMumGmTssW3slX1w5ubYXaJaEYHJEySdEuvwyuCyFvEIgKdp+5D5c
            XM6TRYj4CynrxTpMG5e8FVU9xxVwldsBJ2inUsM71/bWlSGE5XywM60prlwd3/O0
            Qvpna87NwrW2sNQFxZzEcf1Mllw5imKX2r0T7vKY6W1IQYsenJfE5N8YnCEaffsX
            sSrmZ86Uqf+LAQtUaCrbgL+qHF7y5GL44X3lp/vMzPoD6NcgyjL4s4n9z8fJkENq
            jhH+YNi2qPRF9lfUCwWWikGupfncRA9d99V9sZA9oHRiYEcAsYS6mnK2C+f7QGil
            GzfbK01SvYoFC3LdGP2j6quRizXIONC5ijsMZFpMKLg2Oxl1bsfzapK7dhDPcors
            ntFLfRp0PuZM1KgO4VxTJOs9An5LN+5NexxOE28c+8dm8wAZbv2MY6mcHFA3ENzB
            KMbmmb8qm+FGRFSTDAQQObp4btzGjNuv1q/cmdiea3tSQ3/NfgbpWksO42ijM74s
            u3l+eS/uXck1Qe9RJVN6M5KOvKBxtjCfw8Na56lpi9GzBrkkql9RMLFRXCnNm8Kk
            Z0+E6HnOlt+qXfCawDLy7eMsf+6lArCeiV9ftF6zpKOUyyU+ZbJ3h5v2h9Zzgfo6
            E2QBbFD3/XdkUlCgBrY8GiLDHCdlK1MYzVsqSqhiL4zKtQ1qKQL5KeVpuXfDVeq+
            n5pomCJ+HLpS2yQf86pD5Bs6UdLecBXO1wD9FhrqvSQvuZEyXO6ybQax9rKQBzDl
            jz3HEFiYOor9jqMhH0a3b17G1LVw8H2xKtJjFl5VTyBx8qRoLb/4jW1tq2kobr/f
            Zfd/UGOVxZeOPc8PVx0cfthaFm9l6fNjTmR/wtlDwwguabKPwsL/
            -----END CERTIFICATE-----
            """
        ),
        (
            "rsaPSS", "tJIIv9PkyEnjQL54A06ulzi07QzpQ+w8/hb2kWxVGHA=",
            """
            -----BEGIN CERTIFICATE-----
            MIIDiTCCAjygAwIBAgIUE0GNfHUHFp4iqBCWL2PeAamW8o4wQgYJKoZIhvcNAQEK
            MDWgDzANBglghkgBZQMEAgEFAKEcMBoGCSqGSIb3DQEBCDANBglghkgBZQMEAgEF
            AKIEAgIA3jARMQ8wDQYDVQQDDAZyc2FQU1MwIBcNMjYxMTMwMDkzMTU2WhgPMjEy
            NjExMDYwOTMxNTZaMBExDzANBgNVBAMMBnJzYVBTUzCCASAwCwYJKoZIhvcNAQEK
            A4IBDwAwggEKAoIBAQChzjORM5TPiTjv0UF23AbrEs7UqCYLO7ncKh9vBYNcEX6J
            X3A4S+5Px5fYM7oY2nl6fBTp29VfmijtssoHZXb5N3m1H+kSEPJ8vLYnT6/F8AB3
            lHu7blRqQjFbpFdcpU/6pMtmpp7TJXODC9jNmjhTgLSKMy37BX2UYE/4jZHGovkV
            D2lvOk+KvbGXhoAHKQh3bKOg/ykd6onzjUzk+nD6ABbbo7GVzUEW9cod6wFTgvSM
            w+Nv2ne0l/0+i5xfiF2j14RKngQDgs9/7mZh95X0HxRnFlg2ZOTD6uNYVqShr8n4
            xNaBPcopK9tnGIAnH/jBs2BHyavCJf0dxbsRbZpdAgMBAAGjbzBtMB0GA1UdDgQW
            BBR3hG6cTOOhFbLZrtcMjegBQkc9vDAfBgNVHSMEGDAWgBR3hG6cTOOhFbLZrtcM
            jegBQkc9vDAPBgNVHRMBAf8EBTADAQH/MBoGA1UdEQQTMBGCD2FwaS5leGFtcGxl
            LmNvbTBCBgkqhkiG9w0BAQowNaAPMA0GCWCGSAFlAwQCAQUAoRwwGgYJKoZIhvcN
            AQEIMA0GCWCGSAFlAwQCAQUAogQCAgDeA4IBAQB7j46U4vqHd/ivaHm9DtZE+ZcI
            FLRCDmJXPfivrsb+fbptP0FiYryafqazddn62rSGW/lM4HSRX6+OS14sUT/3Xovx
            yecKVkpjWWPYVQ9hWUBvfdhYpgaxXIz1s66QrluqxwJpFVvQn/LfFCSg51N7qhN6
            i7WWGh31AdjQBSAWWzQ/lbWYCcFBxIYqd/KWlSl9Lf2uw0TIKbuTa4OlmAY3vfGt
            nZC5h5hI3hC5ZdBljTFgnAtnCeVWaQGn/1+HZjpo8iNmDG07L0zsRUgvkDrATiYm
            GoOGKYG08MxoEXGrKVUsD+HCovdGdQ8duCrQMTn2SvyQXnjXNW62zJ/Oo7kt
            -----END CERTIFICATE-----
            """
        ),
        (
            "p256", "Cu4iPNtGm3FHIXKSNhIorFzY/cIQBe0bRnrAAvLLGgc=",
            """
            -----BEGIN CERTIFICATE-----
            MIIBkDCCATegAwIBAgIUL03Jz6YxoZ3d+sij57BCue8csxkwCgYIKoZIzj0EAwIw
            DzENMAsGA1UEAwwEcDI1NjAgFw0yNjExMzAwOTMxNTZaGA8yMTI2MTEwNjA5MzE1
            NlowDzENMAsGA1UEAwwEcDI1NjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPWM
            dfcWppzmPoSh2wPcI5IBRqXQxBIjtgSarBv8Cx9gVqRG4wXZirJfq2yyqoZLmScG
            4PhFSZA57yOlUi7JEeGjbzBtMB0GA1UdDgQWBBRJB5vhfNUmKyntl+qs9vdv+uZ5
            ADAfBgNVHSMEGDAWgBRJB5vhfNUmKyntl+qs9vdv+uZ5ADAPBgNVHRMBAf8EBTAD
            AQH/MBoGA1UdEQQTMBGCD2FwaS5leGFtcGxlLmNvbTAKBggqhkjOPQQDAgNHADBE
            AiBMi3xubnskOuAndqIjSAUIdrikcj/BEKdfk5sUeqkkSgIgWaQl88G4hMmCDoyC
            y9X/9AYjLE0NECPwA/VX89Khoyc=
            -----END CERTIFICATE-----
            """
        ),
        (
            "p384", "LXNAtZLxZLiCe0KZuLuH1e4nMIcZTjEbhhVifvy3dGw=",
            """
            -----BEGIN CERTIFICATE-----
            MIIBzjCCAVSgAwIBAgIUVdQSUjjmv9yX44nnOgiRtsfEhHgwCgYIKoZIzj0EAwIw
            DzENMAsGA1UEAwwEcDM4NDAgFw0yNjExMzAwOTMxNTZaGA8yMTI2MTEwNjA5MzE1
            NlowDzENMAsGA1UEAwwEcDM4NDB2MBAGByqGSM49AgEGBSuBBAAiA2IABJzNpqxF
            tLt0C24Z5ME+v6doPMx9LMFslGkCMxFnmrZGsdGLqfndt4p2nRHUXiiL/llW+vMO
            NxtnZ0zfxPoQOqbdtw8iAVSmxslzwj/EstUovysnQkkhfGhQ1T6gtw8KIKNvMG0w
            HQYDVR0OBBYEFGu3DoeJTj5iISJ4Df8HaG68d8o+MB8GA1UdIwQYMBaAFGu3DoeJ
            Tj5iISJ4Df8HaG68d8o+MA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIPYXBp
            LmV4YW1wbGUuY29tMAoGCCqGSM49BAMCA2gAMGUCMGjBewBeUUTzNwxLs4/wKbPi
            73ZFNebOrjMxR1D1/ELa3ZzKymoIfDFvwx5ce7MyRwIxAO6StZXWfzyZenme8WIu
            yR+VD43vyCEH7lI23XfFqHZEEmUnN/L7hy5s0GBzHT3yoQ==
            -----END CERTIFICATE-----
            """
        ),
        (
            "p521", "XUwkxGfyiaMFkQyCpFUwsCk6Eh/UEOp1zQAsqHr/jb4=",
            """
            -----BEGIN CERTIFICATE-----
            MIICGDCCAXqgAwIBAgIUQwbT6msfKa8/fGymf0MLARXGDVEwCgYIKoZIzj0EAwIw
            DzENMAsGA1UEAwwEcDUyMTAgFw0yNjExMzAwOTMxNTdaGA8yMTI2MTEwNjA5MzE1
            N1owDzENMAsGA1UEAwwEcDUyMTCBmzAQBgcqhkjOPQIBBgUrgQQAIwOBhgAEAVC+
            6iNV/kr4OhJ8HR2q7emc1c3BfCyFj7q875XicfVwpj7vJZZABfpnsn3AJKLYsP/e
            AHmyc70H4MPLUNUc/N+vAI3jSST+b6kZAmCh8b8RmzKHcOd/ZQTTVjFTv1TtHLO6
            Y1VqRLXFDiHV0xHuUAOOq0tO1SxZ2CGQBhAks4/yRMBto28wbTAdBgNVHQ4EFgQU
            UKsv1kJ0lLs6hDN5VPGEp531cQgwHwYDVR0jBBgwFoAUUKsv1kJ0lLs6hDN5VPGE
            p531cQgwDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgg9hcGkuZXhhbXBsZS5j
            b20wCgYIKoZIzj0EAwIDgYsAMIGHAkIBNcXCuya/DakFGci04L/LIqVFEl6kYlkP
            EuS9e1/g82aaIXIPk+kwrmYVJUpO8v6IK4VihYHLfM9fI1+r0HzkHBMCQXISYb3L
            GLyBsARGPBtY4WZxPYQegjpa90Ptcxsq8d9Xrgw9bsuoyQv5xj6rtMLQeWMes1cr
            UGBb8vb38+arobEk
            -----END CERTIFICATE-----
            """
        ),
        (
            "ed25519", "RbXTohm6XGqTuQvKPcyRm24VXjIsMyuejQA9oOWYScI=",
            """
            -----BEGIN CERTIFICATE-----
            MIIBVzCCAQmgAwIBAgIUPZnQzyALE8BjOTT7IinV8mGfVRwwBQYDK2VwMBIxEDAO
            BgNVBAMMB2VkMjU1MTkwIBcNMjYxMTMwMDkzMTU3WhgPMjEyNjExMDYwOTMxNTda
            MBIxEDAOBgNVBAMMB2VkMjU1MTkwKjAFBgMrZXADIQB3e1CrbIiRA5EHf36VL1s1
            q3yadXmZ35DdxFAF0pqILqNvMG0wHQYDVR0OBBYEFEyrbWaSoLU5BqXJ5ksTbNoS
            0tOvMB8GA1UdIwQYMBaAFEyrbWaSoLU5BqXJ5ksTbNoS0tOvMA8GA1UdEwEB/wQF
            MAMBAf8wGgYDVR0RBBMwEYIPYXBpLmV4YW1wbGUuY29tMAUGAytlcANBAGwsvYV5
            dFkHOOyWEsgP5hH+all66aWXubIExpN4WvIiWAOCsv7Q5hzGAR2p4Q7f3bH5wt+n
            kTiT0o53YKImSAY=
            -----END CERTIFICATE-----
            """
        ),
    ]
}

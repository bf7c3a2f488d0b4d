import HTTPMessages
import SocketHTTPServer
import TimeclockAPI

/// The description of a setting.
struct SettingRow: Sendable {
  enum Kind: Sendable, Equatable {
    case value
    /// A flag that takes no value, true or false as a variable.
    case choice
    /// A repeatable flag of this name; a variable with commas.
    case list(flag: String)
    /// A variable and no flag: everybody on the machine can see a command line.
    case secret
  }

  /// The meaning of the setting, in sentences; links are those of docs/operating.md.
  var words: String
  var kind = Kind.value
  /// The default, as the variable would say it; nil if there is none.
  var standard: String?
  /// The default in words; nil if `standard` says it.
  var standardWords: String?
  /// The numbers that are taken, of settings that are one.
  var range: ClosedRange<Int>?
  /// The unit of the number, behind a space; empty if `words` say it.
  var unit = ""
  /// The name of the value in the option's help; nil for the option's own name.
  var valueName: String?
  /// The words that deploy/timeclock.env adds.
  var note: String?
  /// Whether deploy/timeclock.env sets the variable, or only shows how.
  var isSet = false
  /// The values that deploy/timeclock.env shows, each behind words of its own; none for the default.
  var examples: [(words: String?, value: String)] = []
}

extension Setting {
  /// The table of settings, in the order in which documents have them.
  var row: SettingRow {
    let server = HTTPServerConfiguration()
    func number(
      _ words: String, _ standard: Int, _ range: ClosedRange<Int>, _ valueName: String
    ) -> SettingRow {
      SettingRow(
        words: words, standard: String(standard), range: range,
        unit: valueName == "number" ? "" : " \(valueName)", valueName: valueName)
    }
    func seconds(_ words: String, _ standard: Duration) -> SettingRow {
      number(words, Int(standard.components.seconds), 1...3_600, "seconds")
    }
    switch self {
    case .host:
      return SettingRow(
        words: """
          The address to listen on, or to ask; or `unix:` and the path of a [socket](behind-a-proxy.md) that is made.
          """, standard: "127.0.0.1",
        note: "Put a reverse proxy with TLS in front and leave this on the loopback address.", isSet: true)
    case .port:
      return SettingRow(
        words: "The port, or 0 for any that is free; the log says which.", standard: "8080", isSet: true)
    case .database:
      return SettingRow(
        words: """
          The location of the data: `sqlite:PATH`, or a [PostgreSQL](postgresql.md) database as `postgresql://…` or as \
          keywords and values such as `"host=db dbname=timeclock"`.
          """, standard: "sqlite:timeclock.db", valueName: "location",
        note: "A relative path is in the service's folder, /var/lib/timeclock.", isSet: true,
        examples: [
          (nil, "sqlite:timeclock.db"),
          (
            "Or on PostgreSQL, in any form that libpq reads; the password may also stand in PGPASSWORD.",
            """
            "host=db1,db2 dbname=timeclock user=timeclock password=... sslmode=verify-full \
            sslrootcert=/etc/ssl/certs/ca-certificates.crt"
            """
          ),
        ])
    case .createDatabase:
      return SettingRow(
        words: "Make the SQLite [file](#files) if there is none, or refuse to start.", kind: .choice,
        standard: "true",
        note: "Once the first start has made the file, false keeps others from beginning on an empty one.",
        examples: [(nil, "false")])
    case .databaseConnections:
      return SettingRow(
        words: "Connections to [PostgreSQL](postgresql.md) that each event loop has; one more listens.",
        standard: "5", range: 2...256)
    case .requireRowSecurity:
      return SettingRow(
        words: """
          Refuse to start as a role that PostgreSQL's [row-level security](postgresql.md#row-level-security) does not \
          hold; without it the log warns.
          """, kind: .choice, standard: "false", examples: [(nil, "true")])
    case .readOnly:
      return SettingRow(
        words: """
          Only [read](scale.md#instances-that-only-read), from a standby of PostgreSQL or as a role that may not write: writes are \
          503 `read_only_instance`, and nothing is done by itself.
          """, kind: .choice, standard: "false", examples: [(nil, "true")])
    case .operatorTokenFile:
      return SettingRow(
        words: "A file with the token that may create [organizations](#organizations) over HTTP.",
        standardWords: "none", valueName: "path", note: "For a secrets store.",
        examples: [(nil, "/run/secrets/timeclock-operator-token")])
    case .operatorToken:
      return SettingRow(
        words: "The same token itself, one word of at least 32 characters.", kind: .secret,
        standardWords: "none",
        note: """
          Make one with `openssl rand -hex 32`; without one organizations are created by the command alone, on this \
          machine.
          """, examples: [(nil, "")])
    case .trustedProxies:
      return SettingRow(
        words: """
          The [proxies](behind-a-proxy.md) that state the client's address: addresses, or ranges such as `10.0.0.0/8`.
          """, kind: .list(flag: "trusted-proxy"), standardWords: "none", valueName: "address",
        note: """
          Without them every request behind a proxy counts as the proxy's. deploy/nginx.conf and deploy/haproxy.cfg \
          need this line.
          """, examples: [(nil, "127.0.0.1")])
    case .forwardedField:
      return SettingRow(
        words: """
          The field in which they state it, `x-forwarded-for` or `forwarded` (RFC 7239); no other is read.
          """, standard: TrustedProxies.Field.xForwardedFor.rawValue, valueName: "name")
    case .rateLimit:
      return SettingRow(
        words: """
          Requests a minute that each [token](behind-a-proxy.md#rate-limits) may make, and each address without one.
          """,
        standardWords: "unlimited", range: RateLimit.allowed, valueName: "count",
        examples: [(nil, "600")])
    case .corsOrigins:
      return SettingRow(
        words: """
          The origins of [web pages](behind-a-proxy.md#web-pages-of-other-origins) that may read answers, such as \
          `https://app.example.com`.
          """, kind: .list(flag: "cors-origin"), standardWords: "none", valueName: "origin",
        examples: [(nil, "https://app.example.com,http://localhost:3000")])
    case .page:
      return SettingRow(
        words: "Serve the [page](page.md): to browsers at `/`, with `/sw.js` and `/assets/`.", kind: .choice,
        standard: "true", note: "False leaves the API alone.", examples: [(nil, "false")])
    case .taskTimerAPI:
      return SettingRow(
        words:
          "Serve the contract of the timer app Trackify, at `/api/` and `/socket.io` ([task-timer.md](task-timer.md)).",
        kind: .choice, standard: "true", note: "False takes these paths away.", examples: [(nil, "false")])
    case .webhookAllow:
      return SettingRow(
        words: """
          Addresses to which [webhooks](webhooks.md) may send though they are none of the Internet: addresses, or ranges \
          such as `10.0.0.0/8`.
          """, kind: .list(flag: "webhook-allow"), standardWords: "none", valueName: "address",
        examples: [(nil, "127.0.0.1,10.20.0.0/16")])
    case .apnsKeyFile:
      return SettingRow(
        words: "The file with the key by which [phones](push.md) are sent messages, as Apple gives it out.",
        standardWords: "none: nothing is sent", valueName: "path",
        note: "With the two identifiers below, or without all three.",
        examples: [(nil, "/run/secrets/AuthKey_ABC123DEFG.p8")])
    case .apnsKeyID:
      return SettingRow(
        words: "The identifier of that key.", standardWords: "none", valueName: "id",
        examples: [(nil, "ABC123DEFG")])
    case .apnsTeamID:
      return SettingRow(
        words: "The identifier of the team at Apple that the key is of.", standardWords: "none",
        valueName: "id",
        examples: [(nil, "DEF123GHIJ")])
    case .apnsHost:
      return SettingRow(
        words: "The service to which such messages go in place of Apple's two, for tests.",
        standardWords: "Apple's", valueName: "host")
    case .apnsCAFile:
      return SettingRow(
        words: "The certificates that are trusted for that, in place of the system's.",
        standardWords: "the system's", valueName: "path")
    case .eventLoops:
      return SettingRow(
        words: "Event loops, the threads that serve connections.",
        standardWords: "the cores less one, at least one", range: 1...64, examples: [(nil, "2")])
    case .logLevel:
      return SettingRow(
        words: "`trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`.", standard: "info",
        note: "At info there is a line for each request.", isSet: true)
    case .logFormat:
      return SettingRow(
        words: "The form of a line of the [log](#health-and-logs): `text`, or `json`, an object.",
        standard: LogFormat.text.rawValue, valueName: "format", examples: [(nil, LogFormat.json.rawValue)])
    case .metricsListen:
      return SettingRow(
        words: """
          The address and port of a listener of its own for [metrics](monitoring.md), such as `127.0.0.1:9464`.
          """, standardWords: "none", valueName: "address",
        note: "Everybody who can reach it can read them.", examples: [(nil, "127.0.0.1:9464")])
    case .maxConnections:
      return number(
        "Connections open at once; further ones wait. Fewer if the system allows fewer descriptors.",
        server.connectionLimit, 1...1_000_000, "number")
    case .maxConnectionsPerAddress:
      return number(
        """
        Connections that one IPv4 address, or one IPv6 /64, has open at once; further ones are refused. Those of this \
        machine do not count.
        """, server.addressConnectionLimit, 1...1_000_000, "number")
    case .maxRequestLine:
      return number(
        "Bytes of a request line, or 414.", server.limits.requestLineByteCount, 1_024...1_048_576, "bytes")
    case .maxHead:
      return number(
        "Bytes of a request's head, its request line included, or 431.", server.limits.headByteCount,
        1_024...1_048_576, "bytes")
    case .maxFields:
      return number("Header fields of a request, or 431.", server.limits.fieldCount, 10...1_000, "number")
    case .maxBody:
      return number(
        "Bytes of a request's body, or 413.", server.limits.bodyByteCount, 1_024...67_108_864, "bytes")
    case .maxBufferedBodies:
      return number(
        "Bytes of bodies that each event loop holds in memory at once, or 503.",
        server.bufferedContentByteCount,
        1_048_576...17_179_869_184, "bytes")
    case .headTimeout:
      return seconds("Seconds in which a request's head has to come, or 408.", server.timeouts.head)
    case .bodyTimeout:
      return seconds(
        "Seconds in which each 4 KiB of a request's body have to come, or 408.", server.timeouts.body)
    case .writeTimeout:
      return seconds("Seconds in which each 4 KiB of an answer have to be taken.", server.timeouts.write)
    case .idleTimeout:
      return seconds("Seconds for which a connection stays open behind an answer.", server.timeouts.idle)
    case .shutdownTimeout:
      var row = seconds(
        "Seconds that the requests in flight have when the server stops.", server.timeouts.shutdown)
      row.note = "TimeoutStopSec of the unit has to be at least ten seconds more."
      return row
    }
  }

  /// Whether it says how much clients may do, or how long the server waits for them.
  var isLimit: Bool { row.unit == " seconds" || variable.hasPrefix("TIMECLOCK_MAX_") }
}

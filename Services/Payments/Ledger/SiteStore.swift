import Contracts
import Store

extension Transaction {
    var sites: SiteStore { SiteStore(transaction: self) }
}

/// The names of areas and car parks that earn revenue, by the id in the names of accounts: the account
/// `revenue:valet/helsinki` is that of the site `helsinki`.
struct SiteStore {
    let transaction: Transaction

    static let migrations = [
        Migration.addition(
            "sites-1",
            """
            CREATE TABLE sites (
                id TEXT NOT NULL PRIMARY KEY,
                kind TEXT NOT NULL,
                name TEXT NOT NULL
            )
            """)
    ]

    /// Keeps the names that the bill says.
    func keepNames(of bill: Bill) throws {
        let sites = [bill.facts.site] + bill.lines.map(\.site)
        for site in sites.compactMap({ $0 }).unique where try find(site.id) != site {
            try transaction.execute(
                """
                INSERT INTO sites (id, kind, name) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, name = excluded.name
                """, site.id, site.kind.rawValue, site.name)
        }
    }

    func find(_ id: String) throws -> Bill.Site? {
        try transaction.row("SELECT id, kind, name FROM sites WHERE id = ?", id)?.site()
    }

    func all() throws -> [Bill.Site] {
        try transaction.rows("SELECT id, kind, name FROM sites ORDER BY name, id").map {
            try $0.site()
        }
    }
}

extension Row {
    fileprivate func site() throws -> Bill.Site {
        var site = Bill.Site(.area, id: try get("id"), name: try get("name"))
        site.kind = Open(rawValue: try get("kind"))
        return site
    }
}

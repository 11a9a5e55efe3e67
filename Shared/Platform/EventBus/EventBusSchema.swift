import Store

/// The tables of outbox and inbox, and the cluster to which the outbox is sent: the first migrations of every store.
public enum EventBusSchema {
    public static let migration: [Migration] = [
        Migration(
            "bus-1",
            """
            CREATE TABLE outbox (
                position \(Migration.identity),
                event_id TEXT NOT NULL UNIQUE,
                topic TEXT NOT NULL,
                type TEXT NOT NULL,
                source TEXT NOT NULL,
                key TEXT NOT NULL,
                traceparent TEXT,
                body TEXT NOT NULL,
                /* Of an event of somebody else that is sent once more; others are signed when they leave. */
                signature TEXT,
                created_at BIGINT NOT NULL,
                sent_at BIGINT)
            """,
            "CREATE INDEX outbox_unsent ON outbox (position) WHERE sent_at IS NULL",
            "CREATE INDEX outbox_sent ON outbox (sent_at) WHERE sent_at IS NOT NULL",
            "CREATE INDEX outbox_by_key ON outbox (topic, key)",
            """
            CREATE TABLE inbox (
                event_id TEXT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)
            """,
            "CREATE INDEX inbox_applied ON inbox (applied_at)"),
        Migration.addition(
            "bus-cluster-1",
            "CREATE TABLE outbox_cluster (id TEXT NOT NULL PRIMARY KEY, since BIGINT NOT NULL)"),
    ]
}

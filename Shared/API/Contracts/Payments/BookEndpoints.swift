/// Searches, sums, files and closings of the books, for operators.
public enum BookEndpoints {
    public static let paymentTotals = Endpoint<PaymentSumsQuery, PaymentTotals>(
        .get, "/v1/admin/payments/totals", id: "paymentTotals", "Sums of payments and refunds",
        "Takes the filters of `GET /v1/payments`.", by: [.operator],
        answer: "The sums of each currency.")
    public static let ledgerAccounts = Endpoint<LedgerAccountsQuery, Page<LedgerAccountInfo>>(
        .get, "/v1/admin/ledger/accounts", id: "ledgerAccounts", "Accounts of the ledger",
        by: [.operator], answer: "The accounts with their names, by id.")
    public static let ledgerTotals = Endpoint<LedgerFileQuery, LedgerTotals>(
        .get, "/v1/admin/ledger/totals", id: "ledgerTotals", "Sums of ledger entries",
        "Takes the filters of `GET /v1/admin/ledger/entries`. Without any, sums the whole ledger.",
        by: [.operator], answer: "The sums of each currency.")
    public static let balances = Endpoint<BalancesQuery, Page<PersonBalance>>(
        .get, "/v1/admin/balances", id: "balances", "Balances of all people",
        "Everybody who ever had a share of a bill, or a tip.", by: [.operator],
        answer: "The balances, newest accounts of people first.")
    public static let bookMonth = Endpoint<MonthQuery, BookMonth>(
        .get, "/v1/admin/days", id: "bookMonth", "Days of the books", by: [.operator],
        answer: "The days of a month until today, newest first, and which are closed.")
    public static let bookDay = Endpoint<Void, BookDay>(
        .get, "/v1/admin/days/{day}", id: "bookDay", "A day of the books",
        "Everything entered on a day in the company's time zone.", by: [.operator], ids: .day,
        answer: "The day's sums; of a closed day, those of its closing.",
        refuses: [.bookDayUnknown])
    public static let closeDay = Endpoint<CloseDayBody, BookDay>(
        .post, "/v1/admin/days/{day}/close", id: "closeDay", "Close a day of the books",
        """
        Keeps the day's sums as they are. All earlier days with entries have to be closed before. A closed day can't \
        be opened again, and later entries belong to later days.
        """, by: [.operator], ids: .day, with: [.idempotencyKey],
        answer: Success("The closed day.", status: 201),
        refuses: [.bookDayUnknown, .dayClosed, .dayNotOver, .earlierDayOpen])
    public static let statement = Endpoint<LanguageQuery, Statement>(
        .get, "/v1/admin/statements/{month}", id: "statement", "The statement of a month",
        """
        As data, with `Accept: text/html` as a page to print, or with `Accept: text/csv` as a file.
        """, by: [.operator], ids: .month,
        answer: Success("The month's sums.", as: [.json, .html, .csv]),
        refuses: [.bookMonthUnknown])
    private static let file = """
        UTF-8 with a byte order mark, separated by commas, lines end in CR LF. Amounts are decimal numbers beside a \
        column for the currency, and times are in the company's time zone. A text that a spreadsheet would take for a \
        formula begins with an apostrophe.
        """
    public static let paymentsFile = Endpoint<PaymentSumsQuery, Bytes>(
        .get, "/v1/admin/exports/payments", id: "paymentsFile", "Payments and refunds as a file",
        "Takes the filters of `GET /v1/payments`. \(file)", by: [.operator],
        answer: Success("Oldest first.", [.contentDisposition], as: [.csv]))
    public static let ledgerFile = Endpoint<LedgerFileQuery, Bytes>(
        .get, "/v1/admin/exports/ledger", id: "ledgerFile", "Entries of the ledger as a file",
        "A line for each posting. \(file)", by: [.operator],
        answer: Success("Oldest first.", [.contentDisposition], as: [.csv]))
    public static let documentsFile = Endpoint<PeriodQuery, Bytes>(
        .get, "/v1/admin/exports/documents", id: "documentsFile",
        "Receipts and credit notes as a file", file, by: [.operator],
        answer: Success("Oldest first.", [.contentDisposition], as: [.csv]))
    public static let balancesFile = Endpoint<BalancesFileQuery, Bytes>(
        .get, "/v1/admin/exports/balances", id: "balancesFile",
        "Balances of all people as a file",
        file, by: [.operator], answer: Success("The balances.", [.contentDisposition], as: [.csv]))
    public static let daysFile = Endpoint<PeriodQuery, Bytes>(
        .get, "/v1/admin/exports/days", id: "daysFile", "Closed days as a file",
        "A line for each number of a closing. \(file)", by: [.operator],
        answer: Success("Oldest first.", [.contentDisposition], as: [.csv]))

    public static let all: [AnyEndpoint] = [
        paymentTotals.untyped, ledgerAccounts.untyped, ledgerTotals.untyped, balances.untyped,
        bookMonth.untyped, bookDay.untyped, closeDay.untyped, statement.untyped,
        paymentsFile.untyped, ledgerFile.untyped, documentsFile.untyped, balancesFile.untyped,
        daysFile.untyped,
    ]
}

extension JSONValue {
    fileprivate static let day = JSONValue.schema("string", ["format": "date"])
    fileprivate static let month = JSONValue.schema("string", ["pattern": "^[0-9]{4}-[0-9]{2}$"])
}

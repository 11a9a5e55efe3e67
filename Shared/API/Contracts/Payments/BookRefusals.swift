extension Refusal {
    public static let bookDayUnknown = Refusal(
        404, "books.day_unknown", "There is no such day, or it has not begun.")
    public static let bookMonthUnknown = Refusal(
        404, "books.month_unknown", "There is no such month, or it has not begun.")
    public static let dayClosed = Refusal(
        409, "books.day_closed", "This day is already closed.")
    public static let dayNotOver = Refusal(
        409, "books.day_not_over", "This day is not over.",
        when: "The day is not over, and `early` is not set.")
    public static let earlierDayOpen = Refusal(
        409, "books.earlier_day_open", "Close the days before first.",
        when: "A day before it has entries and is open, or a later one is closed.")
}

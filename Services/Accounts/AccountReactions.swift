import EventBus

/// Accounts hears nothing from the bus: everybody else learns from it who people are.
let accountReactions: Reactions? = nil

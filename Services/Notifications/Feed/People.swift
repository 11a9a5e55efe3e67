import Contracts
import EventBus

/// All that is remembered of people: the language in which they are spoken to. No name, no number.
let people = Replica<Language>("people")

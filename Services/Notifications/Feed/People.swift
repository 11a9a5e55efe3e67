import Contracts
import EventBus

/// The data stored about a person: only the language of their messages.
let people = Replica<Language>("people")

/// Every event that crosses the bus. A fixture, a producer's test and a reader's test exist for each.
public let allEvents: [any Event.Type] = [
    AccountChanged.self, AccountDeleted.self, SessionsEnded.self, VehicleChanged.self,
    CodeRequested.self,
    ServiceAreaChanged.self, DropOffRequested.self, MatchRepeated.self, ValetAssigned.self,
    OrderUnfulfilled.self, OrderCancelled.self, ValetWithdrawn.self, VehicleCollected.self,
    VehicleParked.self, ReturnRequested.self, ReturnUnfulfilled.self, RecallCancelled.self,
    VehicleRetrieved.self, VehicleReturned.self, OrderFinished.self, OrderOverridden.self,
    OrderOverdue.self, OrderNeedsOperator.self, OrderScheduled.self, ValetOffered.self,
    OfferEnded.self, TaskChanged.self,
    PartyArrived.self, AvailabilityChanged.self, PositionRecorded.self,
    ValetMatched.self, NoValetFound.self,
    BillChanged.self, PaymentSucceeded.self, PaymentDeclined.self, PaymentRefunded.self,
    PaymentHeld.self, PaymentReleased.self,
    TipGiven.self, RecognitionMade.self, PhotoTaken.self, OperatorActed.self,
    RatingGiven.self, NotificationCreated.self,
    NoticeIssued.self, EngagementChanged.self,
]

import Contracts
import Foundation

/// What people are told, in each language that they can choose. Placeholders stand in braces.
struct Message: Sendable, Hashable {
    struct Text: Sendable, Hashable {
        let title: String
        let text: String

        init(_ title: String, _ text: String) {
            self.title = title
            self.text = text
        }
    }

    let english: Text
    let traditionalChinese: Text

    init(_ english: Text, zhHant: Text) {
        self.english = english
        traditionalChinese = zhHant
    }

    subscript(language: Language) -> Text {
        switch language {
        case .english: english
        case .traditionalChinese: traditionalChinese
        }
    }
}

// MARK: To customers

extension Message {
    static let valetOnTheWay = Message(
        .init("Your valet is on the way", "{ticket}: your valet is there in about {minutes}."),
        zhHant: .init("代客泊車員正前來", "{ticket}：代客泊車員約 {minutes}後到達。"))
    static let returnValetFound = Message(
        .init(
            "A valet is fetching your vehicle",
            "{ticket}: a valet is on the way to your parked vehicle."),
        zhHant: .init("代客泊車員正去取車", "{ticket}：代客泊車員正前往您的車輛停泊處。"))
    static let orderedAhead = Message(
        .init("Ordered ahead", "{ticket}: we look for a valet when the time comes."),
        zhHant: .init("已預約", "{ticket}：到時我們會為您尋找代客泊車員。"))
    static let searchBegins = Message(
        .init("It is nearly time", "{ticket}: we are looking for your valet now."),
        zhHant: .init("預約時間將至", "{ticket}：正為您尋找代客泊車員。"))
    static let washed = Message(
        .init("Your vehicle is clean", "{ticket}: your vehicle has been washed."),
        zhHant: .init("車輛已清洗", "{ticket}：您的車輛已清洗完畢。"))
    static let refuelled = Message(
        .init("Your vehicle is refuelled", "{ticket}: your vehicle has been refuelled."),
        zhHant: .init("車輛已加油", "{ticket}：您的車輛已加滿油。"))
    static let noValet = Message(
        .init("No valet is free", "{ticket}: no valet is available near you. Please try later."),
        zhHant: .init("暫時未有代客泊車員", "{ticket}：附近暫時沒有代客泊車員，請稍後再試。"))
    static let noReturnValet = Message(
        .init(
            "No valet is free",
            "{ticket}: no valet can bring your vehicle now. It stays parked; please try again."),
        zhHant: .init("暫時未有代客泊車員", "{ticket}：暫時沒有代客泊車員送車，車輛仍然停泊，請再試。"))
    static let cancelled = Message(
        .init("Order cancelled", "{ticket} was cancelled. Nothing is charged."),
        zhHant: .init("訂單已取消", "{ticket} 已取消，不收取費用。"))
    static let cancelledWithFee = Message(
        .init("Order cancelled", "{ticket} was cancelled. The cancellation fee is {amount}."),
        zhHant: .init("訂單已取消", "{ticket} 已取消，取消費用為 {amount}。"))
    static let customerAbsent = Message(
        .init(
            "Your valet has left",
            "{ticket}: your valet waited and did not meet you. The fee is {amount}."),
        zhHant: .init("代客泊車員已離開", "{ticket}：代客泊車員等候後未見您，費用為 {amount}。"))
    static let valetWithdrew = Message(
        .init("We look for another valet", "{ticket}: your valet could not go on."),
        zhHant: .init("正為您另覓代客泊車員", "{ticket}：原來的代客泊車員未能繼續。"))
    static let vehicleCollected = Message(
        .init("Your vehicle is in our hands", "{ticket}: your valet has it and parks it now."),
        zhHant: .init("已接收您的車輛", "{ticket}：代客泊車員已取車，現正泊車。"))
    static let vehicleParked = Message(
        .init("Your vehicle is parked", "{ticket}: call it back whenever you like."),
        zhHant: .init("車輛已泊好", "{ticket}：您可隨時召回車輛。"))
    static let vehicleRetrieved = Message(
        .init("Your vehicle is coming", "{ticket}: your valet drives it to you now."),
        zhHant: .init("車輛正送回", "{ticket}：代客泊車員正把車輛送到您處。"))
    static let vehicleReturned = Message(
        .init("Your vehicle is back", "{ticket}: {amount} is due. You can pay in the app."),
        zhHant: .init("車輛已送回", "{ticket}：應付 {amount}，可在應用程式付款。"))
    static let vehicleReturnedFree = Message(
        .init("Your vehicle is back", "{ticket}: there is nothing to pay."),
        zhHant: .init("車輛已送回", "{ticket}：無須付款。"))
    static let finished = Message(
        .init("Thank you", "{ticket} is finished. You can rate your valets."),
        zhHant: .init("多謝使用", "{ticket} 已完成，您可為代客泊車員評分。"))
    static let overridden = Message(
        .init("Your order was changed", "{ticket}: our staff set it to “{status}”."),
        zhHant: .init("訂單已更改", "{ticket}：職員已將狀態改為「{status}」。"))
    static let valetArrived = Message(
        .init("Your valet is there", "{ticket}: have your code ready."),
        zhHant: .init("代客泊車員已到達", "{ticket}：請準備您的交接碼。"))
    static let valetAtVehicle = Message(
        .init("Your valet is at your vehicle", "{ticket}: it will be on its way soon."),
        zhHant: .init("代客泊車員已到停泊處", "{ticket}：車輛即將起程。"))
    static let paymentSucceeded = Message(
        .init("Payment received", "{ticket}: we have received {amount}. Thank you."),
        zhHant: .init("已收到付款", "{ticket}：已收到 {amount}，多謝。"))
    static let paymentDeclined = Message(
        .init(
            "Payment declined", "{ticket}: {amount} could not be paid. Please try another card."),
        zhHant: .init("付款被拒", "{ticket}：未能支付 {amount}，請使用其他付款方式。"))
    static let paymentRefunded = Message(
        .init("Money is coming back", "{ticket}: we have given {amount} back to you."),
        zhHant: .init("已退款", "{ticket}：已向您退回 {amount}。"))
}

// MARK: To valets

extension Message {
    static let jobDropOff = Message(
        .init("New job", "{ticket}: take over a vehicle, about {minutes} away."),
        zhHant: .init("新工作", "{ticket}：前往接收車輛，約 {minutes}路程。"))
    static let jobReturn = Message(
        .init("New job", "{ticket}: bring a parked vehicle back."),
        zhHant: .init("新工作", "{ticket}：送回已停泊的車輛。"))
    static let offerDropOff = Message(
        .init(
            "A job for you",
            "{ticket}: a vehicle to take over, about {minutes} away. Will you take it?"),
        zhHant: .init("有工作給您", "{ticket}：接收車輛，約 {minutes}路程。您接受嗎？"))
    static let offerReturn = Message(
        .init(
            "A job for you",
            "{ticket}: a parked vehicle to bring back, about {minutes} away. Will you take it?"),
        zhHant: .init("有工作給您", "{ticket}：送回已停泊的車輛，約 {minutes}路程。您接受嗎？"))
    static let offerMissed = Message(
        .init("You missed a job", "{ticket}: your answer did not come in time."),
        zhHant: .init("您錯過了工作", "{ticket}：未能及時收到您的回覆。"))
    static let offerWithdrawn = Message(
        .init("Job no longer open", "{ticket} does not need you any more."),
        zhHant: .init("工作已取消邀請", "{ticket} 不再需要您接手。"))
    static let taskDropped = Message(
        .init("Task no longer needed", "{ticket}: the vehicle leaves before your task is done."),
        zhHant: .init("無須再做此工作", "{ticket}：車輛將離開，無須完成此項工作。"))
    static let jobCancelled = Message(
        .init("Job cancelled", "{ticket} was cancelled. You are free again."),
        zhHant: .init("工作已取消", "{ticket} 已取消，您可接受新工作。"))
    static let jobTaken = Message(
        .init("Job taken back", "You no longer have {ticket}."),
        zhHant: .init("工作已收回", "{ticket} 已不再由您負責。"))
    static let jobChanged = Message(
        .init("Job changed", "{ticket}: our staff set it to “{status}”."),
        zhHant: .init("工作已更改", "{ticket}：職員已將狀態改為「{status}」。"))
    static let tipGiven = Message(
        .init("You got a tip", "{ticket}: {amount} for you, with thanks."),
        zhHant: .init("您收到小費", "{ticket}：客人給您小費 {amount}，多謝。"))
    static let suspended = Message(
        .init("You are suspended", "You get no jobs until our staff lifts it."),
        zhHant: .init("帳戶已暫停", "在職員解除前，您不會獲派工作。"))
    static let unsuspended = Message(
        .init("Welcome back", "You can take jobs again."),
        zhHant: .init("歡迎回來", "您可再次接受工作。"))
}

// MARK: To anybody

extension Message {
    static let rated = Message(
        .init("You were rated", "You got {stars} of 5 stars."),
        zhHant: .init("您收到評分", "您獲得 {stars} 星（滿分 5 星）。"))
}

// MARK: To operators

extension Message {
    static let overdue = Message(
        .init("Order overdue", "{ticket} has been “{status}” for more than {time}."),
        zhHant: .init("訂單逾時", "{ticket} 處於「{status}」已超過 {time}。"))
    static let deadLetter = Message(
        .init("An event could not be handled", "{consumer} gave up on {event}: {reason}"),
        zhHant: .init("未能處理事件", "{consumer} 未能處理 {event}：{reason}"))
}

// MARK: Text messages

extension Message {
    static let verificationCode = Message(
        .init(
            "", "Your OpenValet code is {code}. It is valid for {minutes}. Never tell it anybody."),
        zhHant: .init("", "您的 OpenValet 驗證碼是 {code}，{minutes}內有效。請勿向任何人透露。"))
    static let passwordResetCode = Message(
        .init(
            "",
            "Your OpenValet code for a new password is {code}. It is valid for {minutes}."
                + " If you did not ask for it, do nothing."),
        zhHant: .init("", "您的 OpenValet 重設密碼驗證碼是 {code}，{minutes}內有效。如非您要求，請勿理會。"))
}

extension Message {
    /// Each of them once, for the test that holds the languages against each other.
    static let all: [Message] = [
        valetOnTheWay, returnValetFound, noValet, noReturnValet, cancelled, cancelledWithFee,
        customerAbsent, valetWithdrew, vehicleCollected, vehicleParked, vehicleRetrieved,
        vehicleReturned, vehicleReturnedFree, finished, overridden, valetArrived, valetAtVehicle,
        paymentSucceeded, paymentDeclined, paymentRefunded, tipGiven, jobDropOff, jobReturn,
        jobCancelled,
        orderedAhead, searchBegins, washed, refuelled, offerDropOff, offerReturn, offerMissed,
        offerWithdrawn, taskDropped, jobTaken, jobChanged, suspended, unsuspended, rated, overdue,
        deadLetter,
        verificationCode, passwordResetCode,
    ]
}

extension OrderStatus {
    /// The state in words.
    func words(_ language: Language) -> String {
        let (english, zhHant) =
            switch self {
            case .requested: ("looking for a valet", "正在尋找代客泊車員")
            case .droppingOff: ("valet on the way", "代客泊車員前來中")
            case .parking: ("being parked", "泊車中")
            case .parked: ("parked", "已泊好")
            case .requestingBack: ("called back", "已召回")
            case .returningBack: ("coming back", "送回中")
            case .waitingForPayment: ("waiting for payment", "等待付款")
            case .finished: ("finished", "已完成")
            case .cancelled: ("cancelled", "已取消")
            case .unfulfilled: ("no valet found", "未找到代客泊車員")
            }
        switch language {
        case .english: return english
        case .traditionalChinese: return zhHant
        }
    }
}

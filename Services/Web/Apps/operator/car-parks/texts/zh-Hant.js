// The words of car parks, in Traditional Chinese; those that customers read too are the customer app's.

export default {
  'op.park': '停車場', 'op.parks.lead': '所有停車場及目前空位。', 'op.parks.new': '新增停車場', 'op.parks.bookings': '預訂', 'op.parks.free': '空位', 'op.parks.from': '起價', 'op.parks.old': '數字已舊',
  'op.parks.none': '尚未有停車場', 'op.parks.none.text': '新增第一個，顧客即可找到。', 'op.parks.noneFound': '沒有停車場用這個名稱或地址',
  'op.park.gone': '這個停車場已不存在', 'op.park.zone': '時區', 'op.park.occupancy': '使用情況', 'op.park.capacity': '車位', 'op.park.bookable': '可預訂', 'op.park.counted': '點算時間', 'op.park.never': '從未', 'op.park.noSpaces': '尚未設定車位。',
  'op.park.source.gates': '由閘口', 'op.park.source.feed': '由資料來源', 'op.park.source.operator': '人手',
  'op.park.inside': '已預訂並在場內', 'op.park.due': '現時已預訂、尚未到場', 'op.park.coming': '未來的預訂',
  'op.park.count': '人手設定', 'op.park.count.text': '目前的空位。留空則不作更改。', 'op.park.free.of': '{class}：{capacity} 個中的空位', 'op.park.number': '請填寫數字。',
  'op.park.open': '開放', 'op.park.opened': '停車場已開放。', 'op.park.close': '關閉', 'op.park.close.text': '不能再預訂或駛入。已有的預訂會保留，場內車輛可以離開。', 'op.park.close.hint': '顧客會看到，例如：水浸', 'op.park.closed': '停車場已關閉。',
  'op.park.remove': '移除停車場', 'op.park.remove.sure': '永久移除這個停車場？', 'op.park.remove.text': '價格及閘口會一併移除。仍有未來預訂或場內車輛時不能移除。', 'op.park.removed': '停車場已移除。',
  'op.park.overstayFee': '逾時費', 'op.park.terms': '條款', 'op.park.edit': '編輯停車場', 'op.park.map': '停車場及入口的位置', 'op.park.tap': '輕按地圖以放置', 'op.park.spaces': '車位', 'op.park.rules': '規則',
  'op.park.entrance': '入口 {number}', 'op.park.entrance.add': '新增入口', 'op.park.entrance.remove': '移除入口 {number}', 'op.park.entrance.kind': '供', 'op.park.entrance.vehicle': '車輛', 'op.park.entrance.pedestrian': '行人',
  'op.park.hours.hint': '按 OpenStreetMap 寫法：24/7，或 Mo-Fr 07:00-22:00; Sa 08:00-20:00; PH off', 'op.park.holidays.hint': '日期如 2026-12-25，每年則 12-25，以逗號分隔', 'op.park.terms.hint': '更改文字即成新版本，正在預訂的人會再被詢問。', 'op.park.overstay.hint': '逾時離開者在價錢以外另付。',
  'op.park.conflict': '不同之處：{fields}',
  'op.park.field.name': '名稱', 'op.park.field.address': '地址', 'op.park.field.position': '位置', 'op.park.field.entrances': '入口', 'op.park.field.timeZone': '時區', 'op.park.field.currency': '貨幣', 'op.park.field.openingHours': '開放時間', 'op.park.field.holidays': '假日',
  'op.park.field.maxHeightMeters': '限高（米）', 'op.park.field.features': '設施', 'op.park.field.phone': '電話', 'op.park.field.capacity': '車位', 'op.park.field.bookable': '可預訂車位', 'op.park.field.terms': '條款', 'op.park.field.freeUntilHours': '免費取消期限（開始前小時）', 'op.park.field.lateRefundPercent': '其後退款（%）', 'op.park.field.overstayFee': '逾時費',
  'op.product.new': '新增價格', 'op.product.edit': '編輯「{name}」', 'op.product.none': '尚未提供任何價格，無法預訂。', 'op.product.version': '第 {version} 版', 'op.product.version.label': '價格版本', 'op.product.next': '將成為第 {version} 版。已有的預訂維持原價。', 'op.product.price': '價錢', 'op.product.quantity': '數量', 'op.product.minQuantity': '最少數量', 'op.product.maxQuantity': '最多數量', 'op.product.classes': '請至少選擇一種車位。', 'op.product.offered': '提供中', 'op.product.off': '不提供',
  'op.product.kind': '收費單位', 'op.product.kind.hourly': '小時', 'op.product.kind.daily': '日', 'op.product.kind.weekly': '星期', 'op.product.kind.monthly': '月', 'op.product.kind.yearly': '年',
  'op.gates': '閘口', 'op.gates.none': '尚未有閘口。', 'op.gate.new': '新增閘口', 'op.gate.id': '編號', 'op.gate.name.hint': '按現場名稱，例如：北閘', 'op.gate.rotate': '更換權杖', 'op.gate.rotate.of': '更換 {name} 的權杖', 'op.gate.rotate.sure': '更換 {name} 的權杖？', 'op.gate.rotate.text': '舊權杖即時失效。',
  'op.gate.token': '{name} 的權杖', 'op.gate.token.once': '只會顯示這一次。請複製到閘口。', 'op.gate.token.label': '權杖', 'op.gate.copy': '複製', 'op.gate.copied': '已複製。',
  'op.booking.reference': '編號', 'op.booking.day': '日期', 'op.booking.day.hint': '按協調世界時', 'op.booking.made': '預訂時間', 'op.booking.held': '保留至', 'op.bookings.none': '沒有這樣的預訂', 'op.bookings.none.text': '請更改篩選。',
  'op.stays': '停泊紀錄', 'op.stays.none': '沒有這樣的停泊紀錄', 'op.stay.inside': '場內', 'op.stay.ended': '已離場', 'op.stay.due': '待付', 'op.stay.price': '預訂以外', 'op.stay.booked': '已預訂', 'op.stay.driveUp': '無預訂', 'op.stay.day.hint': '按停車場當地時間；選擇全部時按協調世界時',
  'op.report': '報告', 'op.report.day': '24 小時', 'op.report.week': '7 日', 'op.report.month': '31 日', 'op.report.revenue': '收入', 'op.report.bookings': '{count} 個已付預訂', 'op.report.arrivals': '到場', 'op.report.spaces': '{count} 個車位', 'op.report.turnover': '周轉率', 'op.report.turnover.text': '每車位每日到場', 'op.report.stay': '平均停留', 'op.report.stay.text': '按已結束的停泊', 'op.report.stay.none': '沒有已結束的停泊', 'op.report.inside': '場內車輛', 'op.report.inside.lead': '同時最多，共 {count} 個車位。', 'op.report.vehicles': '車輛',
  'op.fine.new': '發出罰款', 'op.fine.new.text': '車主會在應用程式看到。圖片可於其後加入。', 'op.fine.amount.hint': '以停車場的貨幣計算', 'op.fines.none': '沒有這樣的罰款', 'op.fine.noPictures': '沒有圖片。', 'op.fine.appeal': '上訴', 'op.fine.noAppeal': '沒有人上訴。', 'op.fine.decision.hint': '被罰者會看到。',
  'op.fine.upheld': '維持罰款', 'op.fine.upheld.text': '其後須付款。', 'op.fine.cancelled': '取消罰款', 'op.fine.cancelled.text': '其後毋須付款。', 'op.fine.refund': '已付款：金額會退還。',

  'problem.car_park.opening_hours': '無法讀取這些開放時間：{detail}', 'problem.car_park.in_use': '仍有未來預訂或場內車輛：請先關閉並等候。', 'problem.parking_product.unknown': '這個價格已不存在。', 'problem.gate.unknown': '這個閘口已不存在。',
};

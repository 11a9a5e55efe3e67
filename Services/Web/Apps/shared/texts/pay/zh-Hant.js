// 付款、收據和評分的文字。

export default {
  'pay.title': '車已送回', 'pay.lead': '還車時間：{time}', 'pay.fee.title': '須付費用', 'pay.fee.lead': '訂單在免費取消時間後取消。', 'pay.card': '信用卡', 'pay.noCard': '請新增信用卡付款。', 'pay.tip': '給泊車員的小費', 'pay.tip.none': '不給', 'pay.tip.own': '自訂金額', 'pay.tip.amount': '金額（{currency}）',
  'pay.button': '付款 {amount}', 'pay.done': '已付款，謝謝！', 'pay.action': '您的銀行要求確認這筆付款，此處未能辦理。請改用另一張卡；如已於別處確認，請再次檢查。', 'pay.action.check': '再次檢查',
  'declined.card_declined': '銀行拒絕了這張卡，請選擇另一張。', 'declined.insufficient_funds': '這張卡的餘額不足，請選擇另一張。', 'declined.expired_card': '這張卡已過期，請選擇另一張。', 'declined.other': '這張卡被拒絕，請選擇另一張。',
  'cards.none': '暫無付款卡', 'cards.none.lead': '可現在新增，或付款時新增。', 'cards.add': '新增付款卡', 'cards.stub': '測試模式：以下為測試卡，不會收取款項。', 'cards.succeeds': '{card}（成功）', 'cards.declined': '{card}（被拒）', 'cards.requiresAction': '{card}（要求確認）',
  'cards.elsewhere': '網頁版暫未支援以此伺服器的付款服務新增付款卡。', 'cards.unknownProvider': '暫時無法得知能否新增付款卡。', 'cards.delete': '刪除這張卡？', 'cards.delete.lead': '您將不能再以 {card} 付款。', 'cards.deleteThis': '刪除 {card}',
  'end.title': '完成', 'end.lead': '謝謝，祝一路順風。', 'end.skip': '暫時不要', 'receipt.title': '收據', 'receipt.collected': '接車', 'receipt.returned': '還車', 'receipt.paid': '已付', 'receipt.refunded': '已退款', 'receipt.print': '列印', 'receipt.save': '儲存為檔案',
  'rate.title': '{names}的服務如何？', 'rate.and': '及', 'rate.comment': '加上評語', 'rate.send': '送出評分', 'rate.missing': '請選擇一至五顆星。', 'rate.thanks': '多謝！您給了{stars}。', 'rate.change': '更改',
  'problem.request.invalid.tip': '未能接受此小費金額，請輸入其他金額。', 'problem.payment.nobody_to_tip': '此訂單沒有泊車員服務，無法給小費。',
};

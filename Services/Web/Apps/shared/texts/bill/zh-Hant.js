// 單一帳單頁面的文字。

export default {
  'bill.title': '付款',
  'bill.other': '或以其他卡付款',
  'bill.state.paid': '此帳單已付款。{card}',
  'bill.state.held': '款項已在您的卡上預留。{card}',
  'bill.state.processing': '正在處理付款。{card}',
  'bill.state.nothing': '無須付款。',
};

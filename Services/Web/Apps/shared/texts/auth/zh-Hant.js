// Words of signing in and up, in Traditional Chinese.

export default {
  'auth.signIn.link': '已有帳戶？登入', 'auth.signUp': '建立帳戶', 'auth.signUp.link': '新用戶？建立帳戶', 'auth.signUp.lead': '只需一分鐘。',
  'auth.forgotten': '忘記密碼？', 'auth.reset': '重設密碼', 'auth.reset.lead': '我們會傳送驗證碼給您。', 'auth.reset.send': '傳送驗證碼',
  'auth.reset.sent': '如您已有帳戶，我們已傳送驗證碼給您，有效 10 分鐘。', 'auth.reset.confirm': '設定密碼並登入',
  'auth.code.phone': '驗證電話號碼', 'auth.code.email': '驗證電郵地址', 'auth.code.lead': '驗證碼已傳送到 {contact}，有效 10 分鐘。', 'auth.code.again': '重新傳送驗證碼', 'auth.code.sent': '新的驗證碼已發出。', 'auth.code.confirm': '確認',
  'auth.code.confirmed.phone': '電話號碼已驗證。', 'auth.code.confirmed.email': '電郵地址已驗證。', 'auth.code.skip': '稍後', 'auth.wrongApp': '此帳戶屬於我們的另一個應用程式。',
  'factor.title': '兩步驟登入', 'factor.lead': '輸入密碼後須再輸入驗證碼，單憑密碼不能登入。', 'factor.lead.required': '營運人員除密碼外，須以驗證碼登入。',
  'factor.totp': '驗證器應用程式', 'factor.totp.hint': '由手機上的應用程式產生驗證碼，沒有網絡也可使用。', 'factor.sms': '短訊', 'factor.sms.hint': '驗證碼會傳送到您的電話號碼。', 'factor.sms.phoneless': '請先新增電話號碼。',
  'factor.totp.scan': '請以驗證器應用程式掃描。', 'factor.totp.qr': '供驗證器應用程式掃描的 QR 碼', 'factor.totp.open': '在此裝置的應用程式開啟', 'factor.totp.type': '或在應用程式輸入此金鑰：',
  'factor.on': '已啟用', 'factor.set': '設定', 'factor.set.which': '設定：{method}', 'factor.set.done': '已啟用兩步驟登入。', 'factor.off': '停用', 'factor.off.which': '停用：{method}', 'factor.off.done': '已停用。', 'factor.confirm': '確認驗證碼',
  'factor.prove.totp': '登入時將不再要求驗證器應用程式的驗證碼。', 'factor.prove.sms': '登入時將不再以短訊傳送驗證碼。', 'factor.prove.codes': '您現有的備用碼將會失效。', 'factor.prove.set': '請先輸入密碼。首次啟用兩步驟登入時，您的其他裝置將會登出。', 'factor.next': '繼續',
  'factor.codes': '備用碼', 'factor.codes.one': '備用碼', 'factor.codes.lead': '如遺失手機，每個備用碼可供登入一次。請妥善保管，備用碼不會再次顯示。', 'factor.codes.left': '尚餘 {count} 個', 'factor.codes.new': '更換備用碼', 'factor.codes.save': '儲存為檔案', 'factor.codes.print': '列印', 'factor.codes.kept': '我已妥善保存',
  'factor.copy': '複製', 'factor.copied': '已複製。', 'factor.copy.failed': '未能複製。',
  'factor.ask.totp': '請輸入驗證器應用程式顯示的驗證碼。', 'factor.ask.sms': '請輸入我們傳送到您手機的驗證碼。', 'factor.ask.recoveryCode': '請輸入一個備用碼，每個只可使用一次。', 'factor.ask.setup': '您的帳戶須使用兩步驟登入：請先設定驗證器應用程式。',
  'factor.use.totp': '使用驗證器應用程式', 'factor.use.sms': '以短訊接收驗證碼', 'factor.use.recoveryCode': '使用備用碼', 'factor.back': '返回密碼',

  'demo.people': '示範帳戶', 'demo.lead': '這是模擬城市的示範。請選擇試用身分：',
  'demo.be.customer': '客人', 'demo.be.valet': '泊車員', 'demo.be.operator': '營運人員',

  'problem.account.challenge_ended': '逾時或嘗試次數過多，請由密碼重新開始。', 'problem.account.second_factor_required': '此帳戶除密碼外，須以驗證碼登入。', 'problem.account.second_factor_unknown': '此登入方式已停用。', 'problem.account.second_factor_exists': '已經啟用。', 'problem.account.second_factor_setup_ended': '設定已逾時，請重新設定。', 'problem.account.last_second_factor': '您的帳戶須使用兩步驟登入，請先設定另一種方式。', 'problem.account.second_factors_own': '請在個人資料停用您自己的兩步驟登入。', 'problem.account.phone_missing': '請先新增電話號碼。',
  'problem.account.credentials_mismatch': '電話號碼或電郵與密碼不符。', 'problem.account.email_taken': '此電郵地址已有帳戶，請直接登入。', 'problem.account.last_contact': '登入或工作時仍需要此聯絡方式。', 'problem.account.phone_taken': '此號碼已有帳戶，請直接登入。',
  'problem.account.wrong_code': '驗證碼錯誤或已過期。', 'problem.account.too_many_attempts': '錯誤次數過多，請索取新的驗證碼。', 'problem.account.code_too_soon': '驗證碼已發出，{seconds} 秒後可再次傳送。', 'problem.account.wrong_password': '目前密碼不正確。',
  'problem.request.invalid.phone': '請輸入連國家或地區號碼的電話號碼（例如 +44 7700 900123），或電郵地址。', 'problem.request.invalid.email': '請輸入有效的電郵地址。', 'problem.request.invalid.country': '請選擇國家或地區。', 'problem.request.invalid.password': '請選擇另一個密碼：最少 10 個字元，不可用常見密碼或您的電話號碼。',
  'problem.request.invalid.newPassword': '請選擇另一個密碼：最少 10 個字元，不可用常見密碼或您的電話號碼。', 'problem.request.invalid.code': '請輸入六位數字的驗證碼。',
};

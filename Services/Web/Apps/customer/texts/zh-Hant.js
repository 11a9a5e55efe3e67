// The words of the first view, as Hong Kong writes them.

export default {
  'menu.open': '選單', 'menu.openNews': '選單，{count} 則新通知', 'sheet.open': '顯示詳情', 'sheet.close': '顯示更多地圖',

  'choose.title': '您的車在哪裏？', 'choose.hint': '移動或點按地圖以更改位置', 'choose.locating': '正在尋找您的位置…', 'choose.noPosition': '無法取得您的位置。請搜尋或移動地圖。',
  'choose.vehicle.none': '交車時告知', 'choose.extras': '附加服務', 'choose.extras.none': '沒有', 'choose.when': '時間', 'choose.now': '現在', 'choose.later': '稍後', 'choose.time': '日期及時間',
  'choose.dropOff': '交車', 'choose.dropOffAt': '{time}交車', 'choose.outside': '此處不在服務範圍。最近的服務點步行可達。', 'choose.nearby': '附近有 {count} 名泊車員，最近約 {time}',
  'choose.nobody': '附近暫時沒有空閒的泊車員。', 'choose.verify': '確認您的電話號碼', 'choose.toBill': '前往帳單', 'choose.toOrder': '前往訂單', 'choose.noAreas': '暫時沒有服務範圍。',
  'tariff.free': '{price}，包首 {count} 分鐘，', 'tariff.base': '首次 {price}，', 'tariff.then': '其後每 {count} 分鐘 {price}；每日最多 {cap}。',
  'walk.go': '前往服務範圍', 'walk.servicePoint': '{area}服務點', 'walk.line': '{distance}，步行約 {time}。圖示為直線，請沿街道前往。', 'walk.noPosition': '開啟定位以顯示路線。', 'walk.other': '選擇其他地點',
  'search.label': '搜尋地點', 'search.clear': '清除', 'search.results': '地點', 'search.found': '{count} 個地點', 'search.nothing': '找不到。請試其他字詞，或移動地圖。', 'search.away': '現時無法搜尋地點。請移動地圖，或輸入座標。',
  'return.title': '車送到哪裏？', 'return.lead': '這裏，或服務範圍內任何地方。', 'return.here': '送到這裏', 'return.sameplace': '交車的地點',
  'marker.dropOff': '交車地點', 'marker.return': '還車地點', 'marker.parked': '您的車泊在這裏', 'marker.car': '您的車', 'marker.valet': '您的泊車員',
  'tap.expired': '{label}：未能及時傳送，已捨棄。', 'vehicles.add': '新增車輛',
};

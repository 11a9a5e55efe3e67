local oldest, limit = NOW - SILENCE, ARGV[FIRST]
local silent = redis.call('ZRANGE', FRESH, '-inf', '(' .. oldest, 'BYSCORE',
  'LIMIT', 0, 500)
for _, id in ipairs(silent) do
  unlist(id, {free = redis.call('HGET', PERSON .. id, 'free') or ''})
  redis.call('HSET', PERSON .. id, 'free', '')
  redis.call('ZREM', FRESH, id)
end

local found, seen, i = {}, {}, FIRST + 1
while i <= #ARGV do
  local la, lo, radius, cells = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  for j = i + 4, i + 3 + cells do
    local ids = redis.call('GEOSEARCH', FREE .. ARGV[j], 'FROMLONLAT', lo, la,
      'BYRADIUS', radius, 'm', 'ASC', 'COUNT', limit)
    for _, id in ipairs(ids) do
      if not seen[id] then
        seen[id] = true
        local s = redis.call('HMGET', PERSON .. id, 'at', 'la', 'lo', 'idle')
        if (tonumber(s[1] or '') or 0) >= oldest then
          found[#found + 1] = {id, s[1], s[2], s[3], s[4]}
        end
      end
    end
  end
  i = i + 4 + cells
end
return found

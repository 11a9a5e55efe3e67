local known = redis.call('GET', KEYS[1])
if known and tonumber(string.match(known, '^%d+')) >= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'KEEPTTL')
return 1

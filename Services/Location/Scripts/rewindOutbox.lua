local before = redis.call('XREVRANGE', KEYS[1], '(' .. ARGV[1], '-', 'COUNT', 1)
local mark = before[1] and before[1][1] or '0-0'
local sent = redis.call('GET', KEYS[2])
if not sent then return 0 end
local again = redis.call('XRANGE', KEYS[1], '(' .. mark, sent)
if #again > 0 then redis.call('SET', KEYS[2], mark) end
return #again

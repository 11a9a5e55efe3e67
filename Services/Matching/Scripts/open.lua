if not isNews() then return 'old' end
local isKnown = redis.call('HEXISTS', KEYS[2], ARGV[3]) == 1
if not isKnown and redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[5]) then
    return 'full'
end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'attempt', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
redis.call('HDEL', KEYS[3], ARGV[3])
return 'open'

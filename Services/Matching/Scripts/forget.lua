if not isNews() then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'attempt', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('HDEL', KEYS[2], ARGV[3])
redis.call('HDEL', KEYS[3], ARGV[3])
return 1

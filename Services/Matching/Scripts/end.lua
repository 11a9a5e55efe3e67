if redis.call('HGET', KEYS[1], 'replica') ~= ARGV[1] then return 0 end
if ARGV[2] == '1' then return redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], 'looks', '0')
return redis.call('PEXPIRE', KEYS[1], ARGV[3])

local worker = redis.call('HMGET', KEYS[1], 'replica', 'looks')
if worker[1] and worker[1] ~= ARGV[1] then
    if ARGV[2] ~= '1' then return 'others' end
    if worker[2] == '1' then return 'busy' end
end
redis.call('HSET', KEYS[1], 'replica', ARGV[1], 'looks', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {redis.call('HGETALL', KEYS[2]), redis.call('HGETALL', KEYS[3])}

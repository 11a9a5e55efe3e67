local known = tonumber(redis.call('HGET', KEYS[1], 'version') or '-1')
if tonumber(ARGV[1]) > known then
  redis.call('HSET', KEYS[1], 'version', ARGV[1], 'body', ARGV[2])
  if ARGV[3] ~= '' then
    redis.call('EXPIRE', KEYS[1], ARGV[3])
  else
    redis.call('PERSIST', KEYS[1])
  end
end
for i = 4, #ARGV do redis.call('HSET', KEYS[1], 'person ' .. ARGV[i], '1') end
return redis.call('HGETALL', KEYS[1])

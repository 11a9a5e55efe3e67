local s = redis.call('HMGET', KEYS[1], 'moved', 'epoch')
if s[1] and s[1] ~= '' and s[2] == ARGV[1] then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
return 0

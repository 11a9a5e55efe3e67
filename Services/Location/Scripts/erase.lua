local id, seconds = ARGV[FIRST], ARGV[FIRST + 1]
local s = state(id)
if s and not s.gone then
  unlist(id, s)
  if s.role == 'valet' and s.moved == '' and s.told ~= 'offline' then
    announce('kind', 'availability', 'valet', id, 'status', 'offline', 'at', ARGV[1])
  end
end
redis.call('DEL', PERSON .. id, TRACK .. id)
redis.call('HSET', PERSON .. id, 'gone', '1', 'epoch', '0', 'moved', '', 'jobs', '',
  'ended', '')
redis.call('EXPIRE', PERSON .. id, seconds)
return {made}

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now) + interval
local wait = full - now - interval * burst
if wait > 0 then return wait end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX',
    math.ceil((full - now) / 1000))
return 0

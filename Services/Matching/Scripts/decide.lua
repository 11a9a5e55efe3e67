local decisions = {}
for i = 1, (#KEYS - 2) / 2 do
    local order, lease = KEYS[2 * i + 1], KEYS[2 * i + 2]
    local id, request, answer, valet = unpack(ARGV, 4 * i - 2, 4 * i + 1)
    if redis.call('HGET', KEYS[1], id) ~= request then
        decisions[i] = 'gone'
    elseif redis.call('HEXISTS', KEYS[2], id) == 1 then
        decisions[i] = 'answered'
    elseif valet ~= ''
        and not redis.call('SET', lease, id, 'NX', 'PX', ARGV[1]) then
        decisions[i] = 'leased'
    else
        if valet ~= '' then redis.call('HSET', order, 'valet', valet) end
        redis.call('HSET', KEYS[2], id, answer)
        decisions[i] = 'decided'
    end
end
return decisions

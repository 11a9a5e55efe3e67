for i = 1, #ARGV, 3 do
    if redis.call('HGET', KEYS[2], ARGV[i]) == ARGV[i + 1] then
        if ARGV[i + 2] ~= '' then
            redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 2])
        else
            redis.call('HDEL', KEYS[1], ARGV[i])
            redis.call('HDEL', KEYS[2], ARGV[i])
        end
    end
end
return 1

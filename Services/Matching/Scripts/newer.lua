-- Shared by `open` and `forget`: false if the order has moved on. KEYS[1] is the order,
-- ARGV[1] its version, ARGV[2] the attempt.
local function isNews()
    local known = redis.call('HMGET', KEYS[1], 'version', 'attempt')
    local version = tonumber(known[1] or '-1')
    local attempt = tonumber(known[2] or '-1')
    local given = tonumber(ARGV[1])
    return given > version or (given == version and tonumber(ARGV[2]) > attempt)
end

-- Reads the keys and numbers that every script gets, and defines how a person is stored.
local PERSON, FREE, CELLS, FRESH, OUTBOX, TRACK = unpack(KEYS)
local NOW, SEED = tonumber(ARGV[1]), ARGV[2]
local SILENCE, FASTEST = tonumber(ARGV[3]), tonumber(ARGV[4])
local ARRIVE, LEAVE = tonumber(ARGV[5]), tonumber(ARGV[6])
local TRACKED, REMEMBER, HERE = ARGV[7], ARGV[8], ARGV[9]
local FIRST = 10
-- The most ended jobs that are remembered, so that an older event does not begin them again.
local ENDED = 8
-- This many jumps in a row that agree with each other show that the last used point was wrong.
local AGREEING = 3
local made = 0
local people = {}

-- An event's id is the seed, which is made before the script, with its last bytes counted up.
local function announce(...)
  redis.call('XADD', OUTBOX, '*', 'seed', SEED, 'n', made, ...)
  made = made + 1
end

local function read(flat)
  local s = {}
  for i = 1, #flat, 2 do s[flat[i]] = flat[i + 1] end
  s.jobs = s.jobs ~= '' and cjson.decode(s.jobs) or {}
  s.ended = s.ended ~= '' and cjson.decode(s.ended) or {}
  s.accuracy = s.accuracy or ''
  s.doubt = s.doubt and cjson.decode(s.doubt)
  return s
end

-- Nil for a person who is not known here, unless a role is given. The shift is empty until it is known: it may be lost.
local function state(id, role, epoch)
  local s = people[id]
  if s then return s end
  local flat = redis.call('HGETALL', PERSON .. id)
  if #flat > 0 then
    s = read(flat)
  elseif role then
    s = {role = role, epoch = epoch, moved = '', at = '', la = '', lo = '', heading = '',
      accuracy = '', cell = '', free = '', shift = '', suspended = '0', account = '0',
      told = 'offline', idle = '0', jobs = {}, ended = {}, new = true}
  end
  -- A customer who takes up work as a valet.
  if s and role == 'valet' and s.role == 'customer' then
    s.role, s.new = role, true
  end
  people[id] = s
  return s
end

-- Stores all that a point changes if the person stays in the region: most writes by far.
local function saveMove(id, s)
  local jobs = next(s.jobs) and cjson.encode(s.jobs) or ''
  redis.call('HSET', PERSON .. id, 'at', s.at, 'la', s.la, 'lo', s.lo,
    'heading', s.heading, 'accuracy', s.accuracy, 'cell', s.cell, 'free', s.free, 'jobs', jobs)
  if s.role ~= 'valet' then redis.call('EXPIRE', PERSON .. id, REMEMBER) end
end

local function save(id, s)
  local ended = next(s.ended) and cjson.encode(s.ended) or ''
  redis.call('HSET', PERSON .. id, 'role', s.role, 'epoch', s.epoch, 'moved', s.moved,
    'shift', s.shift, 'suspended', s.suspended, 'account', s.account, 'told', s.told,
    'idle', s.idle, 'ended', ended)
  saveMove(id, s)
  if s.role == 'valet' and s.new then
    redis.call('PERSIST', PERSON .. id)
  end
end

local function isBusy(s)
  for _, job in pairs(s.jobs) do if job.busy then return true end end
  return false
end

local function status(s)
  if isBusy(s) then return 'busy' end
  if s.shift == '2' then return 'onBreak' end
  return s.shift == '1' and 'available' or 'offline'
end

-- The engagement in which a person is seen, which excludes one for which they are only asked.
local function serving(s)
  for engagement, job in pairs(s.jobs) do if job.peers then return engagement end end
  return ''
end

local function unlist(id, s)
  if s.free == '' then return end
  redis.call('ZREM', FREE .. s.free, id)
  if redis.call('EXISTS', FREE .. s.free) == 0 then redis.call('SREM', CELLS, s.free) end
  redis.call('ZREM', FRESH, id)
  s.free = ''
end

-- Adds a valet who is free for a job to the set of their cell, and removes them from any other.
local function list(id, s)
  local cell = ''
  if s.role == 'valet' and s.at ~= '' and NOW - tonumber(s.at) <= SILENCE
    and status(s) == 'available' then cell = s.cell end
  if s.free ~= cell then unlist(id, s) end
  if cell == '' then return end
  redis.call('GEOADD', FREE .. cell, s.lo, s.la, id)
  redis.call('ZADD', FRESH, s.at, id)
  if s.free ~= cell then redis.call('SADD', CELLS, cell) end
  s.free = cell
end

local function tell(id, s)
  if s.role ~= 'valet' then return end
  local now = status(s)
  if now == s.told then return end
  if now == 'available' then s.idle = ARGV[1] end
  s.told = now
  -- The end of a job ends no shift that is lost: its owner tells it again.
  if now == 'offline' and s.shift == '' then return end
  announce('kind', 'availability', 'valet', id, 'status', now, 'at', ARGV[1])
end

-- In metres, as `Geo.earthRadiusMeters`.
local EARTH_RADIUS = 6371008.8

-- The great-circle distance in metres, as `Geo.distanceMeters`.
local function meters(la1, lo1, la2, lo2)
  local u = math.sin(math.rad(la2 - la1) / 2)
  local v = math.sin(math.rad(lo2 - lo1) / 2)
  local h = u * u + math.cos(math.rad(la1)) * math.cos(math.rad(la2)) * v * v
  return 2 * EARTH_RADIUS * math.asin(math.min(1, math.sqrt(h)))
end

-- Whether somebody can have come here from an earlier point.
local function isReachable(from, at, la, lo)
  -- Clocks of some phones count whole seconds.
  local seconds = math.max((at - tonumber(from.at)) / 1000, 1)
  return meters(tonumber(from.la), tonumber(from.lo), la, lo) / seconds <= FASTEST
end

-- Counts jumps in a row that agree with each other; true once there are enough. Without this, one wrong first point
-- would exclude all right ones.
local function isConfirmed(id, s, at, la, lo)
  local before = s.doubt
  if before and at <= before.at then return false end
  local count = before and isReachable(before, at, la, lo) and before.count + 1 or 1
  s.doubt = {at = at, la = la, lo = lo, count = count}
  redis.call('HSET', PERSON .. id, 'doubt', cjson.encode(s.doubt))
  return count >= AGREEING
end

local function judge(id, s, at, la, lo)
  if s.at == '' then return '' end
  local before = tonumber(s.at)
  if at == before then return 'repeat' end
  if at < before then return 'late' end
  if isReachable(s, at, la, lo) or isConfirmed(id, s, at, la, lo) then return '' end
  return 'jump'
end

local function endDoubt(id, s)
  if not s.doubt then return end
  s.doubt = nil
  redis.call('HDEL', PERSON .. id, 'doubt')
end

local function arrive(id, s, at, la, lo, accuracy)
  for engagement, job in pairs(s.jobs) do
    if job.la then
      local way, reach = meters(la, lo, job.la, job.lo), job.within or ARRIVE
      -- If the circles of accuracy meet, both may be at the same point; limited to the usual radius.
      if job.accuracy then
        reach = math.max(reach, math.min(ARRIVE, job.accuracy + accuracy))
      end
      if way <= reach then
        job.near = math.min(2, job.near + 1)
      elseif job.near < 2 or way > reach * LEAVE / ARRIVE then
        job.near = 0
      end
      if job.near == 2 and not job.said then
        job.said = true
        announce('kind', 'arrived', 'engagement', engagement,
          'product', job.product, 'meeting', job.meeting, 'mover', id,
          'peers', table.concat(job.peers or {}, ' '), 'at', at)
      end
    end
  end
end

-- A person who may be nearer, by the reading's accuracy, has not left.
local function leave(id, s, at, la, lo, accuracy)
  for engagement, job in pairs(s.jobs) do
    local from, left = job.leaving, job.left or {}
    if from and not left[from.id]
      and meters(la, lo, from.la, from.lo) > from.beyond + accuracy then
      left[from.id], job.left = true, left
      announce('kind', 'left', 'engagement', engagement,
        'product', job.product, 'leaving', from.id, 'mover', id,
        'peers', table.concat(job.peers or {}, ' '), 'at', at)
    end
  end
end

local order, used, outcomes, results = {}, {}, {}, {}
for i = FIRST, #ARGV, 12 do
  local id, at, la, lo = ARGV[i], ARGV[i + 3], ARGV[i + 4], ARGV[i + 5]
  local mark, s = ARGV[i + 9], state(id, ARGV[i + 1], ARGV[i + 2])
  if used[id] == nil then
    used[id] = false
    order[#order + 1] = id
  end
  if s.gone then
    mark = 'gone'
  elseif s.moved ~= '' then
    mark = 'moved'
  else
    local t, y, x = tonumber(at), tonumber(la), tonumber(lo)
    if mark == '' then mark = judge(id, s, t, y, x) end
    redis.call('XADD', TRACK .. id, 'MAXLEN', '~', TRACKED, '*', 'at', at, 'la', la,
      'lo', lo, 'heading', ARGV[i + 6], 'speed', ARGV[i + 7],
      'accuracy', ARGV[i + 8], 'engagement', serving(s), 'mark', mark)
    if mark == '' then
      endDoubt(id, s)
      s.at, s.la, s.lo, s.heading, s.cell = at, la, lo, ARGV[i + 6], ARGV[i + 10]
      s.accuracy, s.to, used[id] = ARGV[i + 8], ARGV[i + 11], true
      local accuracy = tonumber(s.accuracy) or 0
      arrive(id, s, at, y, x, accuracy)
      leave(id, s, at, y, x, accuracy)
    end
  end
  outcomes[#outcomes + 1] = mark == '' and 'used' or mark
end

for _, id in ipairs(order) do
  local s, moved = state(id), {}
  if s.moved == '' then redis.call('EXPIRE', TRACK .. id, REMEMBER) end
  if used[id] and s.to == HERE then
    list(id, s)
    if s.new then save(id, s) else saveMove(id, s) end
  elseif used[id] then
    unlist(id, s)
    s.moved, s.epoch, s.new = s.to, s.epoch + 1, nil
    save(id, s)
  end
  if s.moved ~= '' then moved = redis.call('HGETALL', PERSON .. id) end
  if used[id] or s.moved ~= '' then
    local seen = {}
    for engagement, job in pairs(s.jobs) do
      if job.peers then
        seen[#seen + 1] = {engagement, job.busy and '1' or '0', unpack(job.peers)}
      end
    end
    results[#results + 1] = {id, moved, seen}
  end
end
return {made, outcomes, results}

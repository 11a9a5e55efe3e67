local id, kind = ARGV[FIRST], ARGV[FIRST + 3]
local a, b, c = ARGV[FIRST + 4], ARGV[FIRST + 5], ARGV[FIRST + 6]
local ends = kind == 'job' and c == ''
local s = state(id, not ends and ARGV[FIRST + 1] or nil, ARGV[FIRST + 2])
if not s or s.gone then return {0, 'done', 'offline', {}} end
if s.moved ~= '' then
  return {0, 'moved', '', redis.call('HGETALL', PERSON .. id)}
end

local function isOffShift() return s.shift == '' or s.shift == '0' end

local function shift(wanted)
  if wanted ~= '1' and isBusy(s) then return 'onJob' end
  if wanted ~= '0' and s.suspended == '1' then return 'suspended' end
  if wanted == '2' and isOffShift() then return 'offShift' end
  -- Others may know of a shift that is lost here.
  if s.shift == '' then s.told = '' end
  s.shift = wanted
  return 'done'
end

local function lostShift(wanted)
  if isOffShift() and s.suspended ~= '1' then s.shift = wanted end
  return 'done'
end

local function account(suspended, version)
  if tonumber(version) <= tonumber(s.account) then return 'done' end
  s.account, s.suspended = version, suspended
  if suspended == '1' then s.shift = '0' end
  return 'done'
end

local function job(engagement, version, text)
  local known, number = s.jobs[engagement], tonumber(version)
  if known and known.version >= number then return 'done' end
  -- Announced departures stay announced in every later version.
  local left = known and known.left
  for i, e in ipairs(s.ended) do
    if e.engagement == engagement then
      if e.version >= number then return 'done' end
      left = e.left
      table.remove(s.ended, i)
      break
    end
  end
  if text == '' then
    s.jobs[engagement] = nil
    s.ended[#s.ended + 1] = {engagement = engagement, version = number, left = left}
    if #s.ended > ENDED then table.remove(s.ended, 1) end
    return 'done'
  end
  local new = cjson.decode(text)
  new.version, new.near, new.left = number, 0, left
  if known and known.meeting == new.meeting
    and table.concat(known.peers or {}) == table.concat(new.peers or {}) then
    new.near, new.said = known.near, known.said
  end
  s.jobs[engagement] = new
  return 'done'
end

local outcome
if kind == 'shift' then
  outcome = shift(a)
elseif kind == 'lostShift' then
  outcome = lostShift(a)
elseif kind == 'account' then
  outcome = account(a, b)
else
  outcome = job(a, b, c)
end
tell(id, s)
list(id, s)
save(id, s)
return {made, outcome, status(s), {}}

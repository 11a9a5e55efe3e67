import Geo
import Redis

/// The scripts that change what Redis knows of people; each runs all or nothing.
///
/// A person's state is one hash in the region where their last used point lies, their *home*. When
/// that point lies in another region, the script that uses it takes the person out of every list
/// of the old home and marks the hash as moved; `settle` then installs the same state in the new.
/// In between the person is in no list: never in two. Whoever meets a moved hash first finishes the
/// move, so that a crash in the middle is mended by the next point. `epoch` counts the moves of a
/// person, and a state with a lower one never replaces a state with a higher one.
///
/// Who has deleted their account is marked as gone in every region: nothing is kept of them again.
enum LocationScripts {
    /// Reads the keys and numbers that every script is given, and knows how a person is kept.
    private static let prelude = """
        local PERSON, FREE, CELLS, FRESH, OUTBOX, TRACK = unpack(KEYS)
        local NOW, SEED = tonumber(ARGV[1]), ARGV[2]
        local SILENCE, FASTEST = tonumber(ARGV[3]), tonumber(ARGV[4])
        local ARRIVE, LEAVE = tonumber(ARGV[5]), tonumber(ARGV[6])
        local TRACKED, REMEMBER, HERE = ARGV[7], ARGV[8], ARGV[9]
        local FIRST = 10
        -- Ended jobs that are remembered, so that an older event does not begin them again.
        local ENDED = 8
        local made = 0
        local people = {}

        -- Ids of events are the seed with its last bytes counted up: they exist before the script.
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
          return s
        end

        -- Nil for somebody who is not known here, unless a role is given.
        local function state(id, role, epoch)
          local s = people[id]
          if s then return s end
          local flat = redis.call('HGETALL', PERSON .. id)
          if #flat > 0 then
            s = read(flat)
          elseif role then
            s = {role = role, epoch = epoch, moved = '', at = '', la = '', lo = '', heading = '',
              accuracy = '', cell = '', free = '', shift = '0', suspended = '0', account = '0',
              told = 'offline', idle = '0', jobs = {}, ended = {}, new = true}
          end
          -- Whoever was somebody's guest before they took up work.
          if s and role == 'valet' and s.role == 'customer' then
            s.role, s.new = role, true
          end
          people[id] = s
          return s
        end

        -- All that a point changes of somebody who stays; most writes by far.
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

        -- The engagement in which somebody is seen; one that they are only asked about is none.
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

        -- Puts a valet who can be given a job into the set of their cell, and out of any other.
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
          announce('kind', 'availability', 'valet', id, 'status', now, 'at', ARGV[1])
        end

        """

    /// For each point: `used`, a mark, or `moved` when the person's home is elsewhere by now.
    /// For each person who has a used point or has moved: the state, if it has to be settled in
    /// another region; and of each engagement in which they are seen, whether they work for it, and who may
    /// see them.
    static let positions = RedisScript(
        prelude + """
            -- Geo.distanceMeters; a script can't call it.
            local function meters(la1, lo1, la2, lo2)
              local u = math.sin(math.rad(la2 - la1) / 2)
              local v = math.sin(math.rad(lo2 - lo1) / 2)
              local h = u * u + math.cos(math.rad(la1)) * math.cos(math.rad(la2)) * v * v
              return 2 * \(Geo.earthRadiusMeters) * math.asin(math.min(1, math.sqrt(h)))
            end

            local function judge(s, at, la, lo)
              if s.at == '' then return '' end
              local before = tonumber(s.at)
              if at == before then return 'repeat' end
              if at < before then return 'late' end
              -- Clocks of some phones count whole seconds.
              local seconds = math.max((at - before) / 1000, 1)
              local way = meters(tonumber(s.la), tonumber(s.lo), la, lo)
              return way / seconds > FASTEST and 'jump' or ''
            end

            local function arrive(id, s, at, la, lo, accuracy)
              for engagement, job in pairs(s.jobs) do
                if job.la then
                  local way, reach = meters(la, lo, job.la, job.lo), job.within or ARRIVE
                  -- Whose circles meet may be at the same point, unless they are wider than what is usual.
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

            -- Whoever may be nearer, by the reading's accuracy, has not gone.
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
                if mark == '' then mark = judge(s, t, y, x) end
                redis.call('XADD', TRACK .. id, 'MAXLEN', '~', TRACKED, '*', 'at', at, 'la', la,
                  'lo', lo, 'heading', ARGV[i + 6], 'speed', ARGV[i + 7],
                  'accuracy', ARGV[i + 8], 'engagement', serving(s), 'mark', mark)
                if mark == '' then
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
            """)

    /// Continues a moved person's life here; does nothing when that has been done.
    static let settle = RedisScript(
        prelude + """
            local id, flat = ARGV[FIRST], {}
            for i = FIRST + 1, #ARGV do flat[#flat + 1] = ARGV[i] end
            local s, known = read(flat), state(id)
            if not known or not known.gone and tonumber(known.epoch) < tonumber(s.epoch) then
              s.moved, s.free, s.new = '', '', true
              if s.role == 'valet' and status(s) == 'available' then
                announce('kind', 'availability', 'valet', id, 'status', 'available', 'at', ARGV[1])
              end
              list(id, s)
              save(id, s)
            end
            return {made}
            """)

    /// Changes somebody's shift, jobs or account. Answers how many events it made, what came of
    /// it, the status, and the state when it has to be settled elsewhere first.
    static let change = RedisScript(
        prelude + """
            local id, kind = ARGV[FIRST], ARGV[FIRST + 3]
            local a, b, c = ARGV[FIRST + 4], ARGV[FIRST + 5], ARGV[FIRST + 6]
            local ends = kind == 'job' and c == ''
            local s = state(id, not ends and ARGV[FIRST + 1] or nil, ARGV[FIRST + 2])
            if not s or s.gone then return {0, 'done', 'offline', {}} end
            if s.moved ~= '' then
              return {0, 'moved', '', redis.call('HGETALL', PERSON .. id)}
            end

            local function shift(wanted)
              if wanted ~= '1' and isBusy(s) then return 'onJob' end
              if wanted ~= '0' and s.suspended == '1' then return 'suspended' end
              if wanted == '2' and s.shift == '0' then return 'offShift' end
              s.shift = wanted
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
              -- Departures that are told stay told, whatever comes between.
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
            elseif kind == 'account' then
              outcome = account(a, b)
            else
              outcome = job(a, b, c)
            end
            tell(id, s)
            list(id, s)
            save(id, s)
            return {made, outcome, status(s), {}}
            """)

    /// Takes somebody out of this region for good, and remembers that for so many seconds.
    static let erase = RedisScript(
        prelude + """
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
            """)

    /// Every valet who can be given a job in the named cells, near one of the centres.
    ///
    /// Takes those out first who have been silent for too long, a bounded number at a time; whoever
    /// is left over of them is not answered either.
    static let search = RedisScript(
        prelude + """
            local oldest, limit = NOW - SILENCE, ARGV[FIRST]
            local silent = redis.call('ZRANGE', FRESH, '-inf', '(' .. oldest, 'BYSCORE',
              'LIMIT', 0, 500)
            for _, id in ipairs(silent) do
              unlist(id, {free = redis.call('HGET', PERSON .. id, 'free') or ''})
              redis.call('HSET', PERSON .. id, 'free', '')
              redis.call('ZREM', FRESH, id)
            end

            local found, seen, i = {}, {}, FIRST + 1
            while i <= #ARGV do
              local la, lo, radius, cells = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
              for j = i + 4, i + 3 + cells do
                local ids = redis.call('GEOSEARCH', FREE .. ARGV[j], 'FROMLONLAT', lo, la,
                  'BYRADIUS', radius, 'm', 'ASC', 'COUNT', limit)
                for _, id in ipairs(ids) do
                  if not seen[id] then
                    seen[id] = true
                    local s = redis.call('HMGET', PERSON .. id, 'at', 'la', 'lo', 'idle')
                    if (tonumber(s[1] or '') or 0) >= oldest then
                      found[#found + 1] = {id, s[1], s[2], s[3], s[4]}
                    end
                  end
                end
              end
              i = i + 4 + cells
            end
            return found
            """)

    /// Names the region that is somebody's home, unless a later move has named another.
    static let nameHome = RedisScript(
        """
        local known = redis.call('GET', KEYS[1])
        if known and tonumber(string.match(known, '^%d+')) >= tonumber(ARGV[1]) then return 0 end
        redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'KEEPTTL')
        return 1
        """)

    /// Lets a moved state that is settled elsewhere be forgotten, unless its owner is back.
    static let forget = RedisScript(
        """
        local s = redis.call('HMGET', KEYS[1], 'moved', 'epoch')
        if s[1] and s[1] ~= '' and s[2] == ARGV[1] then
          redis.call('EXPIRE', KEYS[1], ARGV[2])
        end
        return 0
        """)

    /// Keeps the newest version of an engagement, and everybody whom any version names.
    static let engagement = RedisScript(
        """
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
        """)
}

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

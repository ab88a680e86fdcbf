import { RedisScript } from "./script.ts";

/**
 * Lua code that reads the server's time in ms and defines a function to format integers, because Lua writes large
 * numbers with an exponent by default.
 */
const TIME = `
local function whole(number) return string.format('%.0f', number) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Claims an entry. Arguments: fingerprint, holder, ms until the claim lapses, ms to keep the entry. */
export const CLAIM = new RedisScript(`${TIME}
local entry = redis.call('HMGET', KEYS[1], 'fingerprint', 'holder', 'state', 'lapsesAt', 'status', 'attempt', 'body')
if entry[1] then
  if entry[1] ~= ARGV[1] then return {'conflict'} end
  if entry[3] == 'finished' then return {'finished', entry[5], entry[6], entry[7]} end
  if entry[3] == 'running' and entry[2] ~= ARGV[2] and now < tonumber(entry[4]) then return {'in_flight'} end
end
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'holder', ARGV[2], 'state', 'running',
  'lapsesAt', whole(now + ARGV[3]), 'keepFor', ARGV[4])
redis.call('PEXPIRE', KEYS[1], whole(ARGV[3] + ARGV[4]))
return {'claimed'}
`);

/**
 * Ends a run. Arguments: holder, state, and the outcome's status, attempt and body. Returns 1, or 0 if the holder has
 * lost the entry.
 */
export const END = new RedisScript(`${TIME}
local entry = redis.call('HMGET', KEYS[1], 'holder', 'state', 'keepFor')
if entry[1] ~= ARGV[1] or entry[2] == 'finished' then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[2])
if ARGV[3] then redis.call('HSET', KEYS[1], 'status', ARGV[3], 'attempt', ARGV[4], 'body', ARGV[5])
else redis.call('HDEL', KEYS[1], 'status', 'attempt', 'body') end
redis.call('PEXPIRE', KEYS[1], whole(entry[3]))
return 1
`);

/**
 * Reads the state of an entry. Returns 'running' and the ms until the claim lapses, or 'ended', with the outcome if
 * there is one.
 */
export const LOOK = new RedisScript(`${TIME}
local entry = redis.call('HMGET', KEYS[1], 'state', 'lapsesAt', 'status', 'attempt', 'body')
if entry[1] == 'running' then
  local lapsesIn = tonumber(entry[2]) - now
  if lapsesIn > 0 then return {'running', whole(lapsesIn)} end
  return {'ended'}
end
if entry[5] then return {'ended', entry[3], entry[4], entry[5]} end
return {'ended'}
`);

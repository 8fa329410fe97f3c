import { UA } from 'jssip';
import { constants } from '#models/constants.ts';
import { sipConstants } from '#models/sip.ts';
import { secondsIn } from '#models/time.ts';
import type { Agent, AgentSetup } from './jssip-parts.ts';

/** A day in seconds: JsSIP's own attempts must never come before those of the registration machine, nor give up a call that rings. */
const never = secondsIn(1, 'day');

/** Makes JsSIP's user agent with everything it would do by itself switched off. */
export const createAgent = ({ socket, uri, name, password, registerSeconds }: AgentSetup): Agent =>
  new UA({
    sockets: [socket],
    uri,
    display_name: name,
    password,
    user_agent: sipConstants.userAgent,
    register: false,
    register_expires: registerSeconds ?? constants.reregisterIntervalSeconds,
    connection_recovery_min_interval: never,
    connection_recovery_max_interval: never,
    no_answer_timeout: never,
    session_timers: false,
  }) as unknown as Agent;

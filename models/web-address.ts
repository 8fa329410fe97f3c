import { isHost } from './sip-address.ts';
import { requiredText, rule } from './rules.ts';

const WEB_ADDRESS = /^https?:\/\/(?:\[[\da-f:.]{2,45}\]|[^\s:/?#@[\]\\]{1,253})(?::\d{1,5})?(?:\/[^\s?#\\]*)?$/i;
/** An address as the beginning of others: without a login, and nothing behind the path. */
export const webAddress = () => requiredText(255).refine((value) => value === '' || WEB_ADDRESS.test(value), rule('web_address'));
/** A server by name or address. */
export const host = () => requiredText(253).refine((value) => value === '' || isHost(value), rule('host'));

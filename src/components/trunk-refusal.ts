import { type TrunkRefusal, trunkRefusalWord } from '#models/call.ts';
import type { Text } from './text.ts';

/** Why a line outside was of no use, in a sentence: the trunk's name, what its server's code means, and the code as it came. */
export function trunkRefusalText({ t }: Pick<Text, 't'>, refusal: TrunkRefusal): string {
  const { trunk, status, reason } = refusal;
  const said = t(`interface.trunk_refusal.${trunkRefusalWord(refusal)}`, { trunk });
  return status === null ? said : `${said} (${[status, reason].filter((part) => part !== null).join(' ')})`;
}

import { useCallback } from 'react';
import { useConfirm } from '../confirm.ts';
import { usePhone, useSession } from '../system.ts';

/** Signs the person out, here or everywhere; the latter asks first, and so does the phone while somebody is on the line. */
export function useSignOut(): (everywhere: boolean) => Promise<void> {
  const session = useSession();
  const phone = usePhone();
  const confirm = useConfirm();
  return useCallback(
    async (everywhere) => {
      const question = {
        text: { key: 'interface.person.sign_out_everywhere_question' },
        approve: { key: 'interface.person.sign_out_everywhere' },
        danger: true,
      };
      if (everywhere && !(await confirm(question))) return;
      if (phone) phone.send({ type: 'phone.signOut', everywhere });
      else session.send({ type: everywhere ? 'session.signOutEverywhere' : 'session.signOut' });
    },
    [session, phone, confirm],
  );
}

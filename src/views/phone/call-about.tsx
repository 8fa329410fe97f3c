import { useContext, useId } from 'react';
import { contactName } from '#machines/phone/contacts/contact-groups.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { callsWith } from '#machines/phone/recents/recent-calls.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useReading } from '../area/use-reading.ts';
import { useProfile } from '../profile-of.ts';
import { ContactsContext, RecentCallsContext } from './names.ts';
import { useOutcome } from './recent-texts.ts';

/** So many calls of before are told. */
const most = 3;

/** One call of before: when, and what became of it. */
function Before({ call }: { call: ReturnType<typeof callsWith>[number] }) {
  return (
    <li>
      <When at={new Date(call.at).toISOString()} />
      <span>{useOutcome(call)}</span>
    </li>
  );
}

/** Who is expected by whom the call is for; asked for once, while one decides whether to answer. */
function ExpectedVisitors({ speechId }: { speechId: string }) {
  const { t } = useText();
  const { answer } = useReading('callVisitors', { params: { speechId } });
  if (!answer || answer.total === 0) return null;
  const names = answer.visitors.map(({ name, group }) => (group ? `${name} (${group.name})` : name)).join(', ');
  const more = answer.total - answer.visitors.length;
  return (
    <p className="call-instructions">
      <i className="pi pi-user-plus" aria-hidden="true" /> <span>{t('phone.expected', { names: more > 0 ? `${names} +${more}` : names })}</span>
    </p>
  );
}

/** What is worth knowing before one answers: for whom it is, what is written down about those people, the last calls from there (experience 7). */
export function CallAbout({ call }: { call: CallMirror }) {
  const { t } = useText();
  const id = useId();
  const own = useProfile().profile.sip_number?.number;
  const contacts = useContext(ContactsContext);
  // Whoever decides whether to answer wants to know; of a call that waits or is taken it only takes room.
  const isNews = call.isRinging || call.isRecalling;
  const calls = callsWith(useContext(RecentCallsContext), call.number, call.speechId).slice(0, most);
  const [caller, callee] = [call.number, call.callee].map((number) => contacts.find((one) => one.number === number));
  const about = [caller, callee].flatMap((one) => one?.user?.description || []);
  const isForOthers = call.direction === 'incoming' && call.callee !== '' && call.callee !== own;
  return (
    <>
      {isForOthers && <p className="call-lines">{t('phone.for', { name: callee ? `${contactName(callee)} · ${call.callee}` : call.callee })}</p>}
      {about.map((words) => (
        <p key={words} className="call-instructions">
          <i className="pi pi-info-circle" aria-hidden="true" /> <span>{words}</span>
        </p>
      ))}
      {isNews && call.direction === 'incoming' && <ExpectedVisitors speechId={call.recordId} />}
      {isNews && calls.length > 0 && (
        <>
          <p id={id} className="call-before">
            {t('phone.before')}
          </p>
          <ul className="call-before" aria-labelledby={id}>
            {calls.map((one) => (
              <Before key={one.id} call={one} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

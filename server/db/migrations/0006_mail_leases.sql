ALTER TABLE "mails" ADD COLUMN "claimed_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "mails_unsent" ON "mails" USING btree ("created_at") WHERE "mails"."sent_at" is null;
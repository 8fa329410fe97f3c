ALTER TABLE "audit_events" ADD COLUMN "groups" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "user_id" uuid;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_events_groups" ON "audit_events" USING gin ("groups");--> statement-breakpoint
CREATE INDEX "mails_user" ON "mails" USING btree ("user_id");
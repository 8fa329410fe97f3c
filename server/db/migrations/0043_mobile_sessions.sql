ALTER TABLE "mobile_clients" ADD COLUMN "session_id" uuid;--> statement-breakpoint
ALTER TABLE "mobile_clients" ADD CONSTRAINT "mobile_clients_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mobile_clients_session" ON "mobile_clients" USING btree ("session_id");
CREATE TABLE "known_devices" (
	"user_id" uuid NOT NULL,
	"mark" text NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "known_devices_user_id_mark_pk" PRIMARY KEY("user_id","mark")
);
--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "users_any_email" ON "users" USING btree (lower("email"));
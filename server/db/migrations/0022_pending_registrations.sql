CREATE TABLE "pending_registrations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"link_hash" text NOT NULL,
	"code_hash" text NOT NULL,
	"login" text NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"locale" text NOT NULL,
	"client_type" text,
	"object_name" text,
	"password_hash" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"mails" integer DEFAULT 1 NOT NULL,
	"mailed_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "pending_registrations_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "pending_registrations_link_hash_unique" UNIQUE("link_hash")
);
--> statement-breakpoint
ALTER TABLE "pending_registrations" ADD CONSTRAINT "pending_registrations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pending_registrations_email" ON "pending_registrations" USING btree ("project_id","email");--> statement-breakpoint
CREATE INDEX "pending_registrations_expiry" ON "pending_registrations" USING btree ("expires_at");